'use client';

import { EarlyAccessProvider as Provider } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { type ReactNode, useState } from 'react';

/** Where early-access-server is: under this path of your own site, or its whole address. */
const ENDPOINT = '/api';

export function EarlyAccessProvider({ children }: { children: ReactNode }) {
  // Created once: a new adapter would be a new session.
  const [adapter] = useState(() => httpAdapter({ endpoint: ENDPOINT }));
  return <Provider adapter={adapter}>{children}</Provider>;
}
