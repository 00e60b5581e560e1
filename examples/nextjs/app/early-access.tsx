'use client';

import { AdminOverlay, EarlyAccessProvider } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { type ReactNode, useState } from 'react';

/** Adapters have functions, which a server component cannot hand over: the adapter is made on this side. */
export function EarlyAccess({ api, children }: { api: string; children: ReactNode }) {
  const [adapter] = useState(() => httpAdapter({ endpoint: api }));
  return (
    <EarlyAccessProvider adapter={adapter}>
      {children}
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
