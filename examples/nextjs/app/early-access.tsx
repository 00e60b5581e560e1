'use client';

import { AdminOverlay, EarlyAccessProvider } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { type ReactNode, useState } from 'react';

/** Adapters have functions, which a server component cannot pass on, so the adapter is made on this side. */
export function EarlyAccess({ children }: { children: ReactNode }) {
  const [adapter] = useState(() => httpAdapter({ endpoint: '/api' }));
  return (
    <EarlyAccessProvider adapter={adapter}>
      {children}
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
