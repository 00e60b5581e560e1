'use client';

import { AdminOverlay, EarlyAccessProvider } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { useTypedText } from 'early-access-kit/hydration';
import { type ReactNode, useState } from 'react';

/** A client component, because adapters contain functions, which a server component cannot pass on. */
export function EarlyAccess({ children }: { children: ReactNode }) {
  const [adapter] = useState(() => httpAdapter({ endpoint: '/api' }));
  // If a browser extension has changed the page, React renders it again. This restores what the visitor typed.
  useTypedText();
  return (
    <EarlyAccessProvider adapter={adapter}>
      {children}
      <AdminOverlay />
    </EarlyAccessProvider>
  );
}
