'use client';

import { EarlyAccessProvider as Provider } from 'early-access-kit';
import { httpAdapter } from 'early-access-kit/adapters/http';
import { type ReactNode, useState } from 'react';

/** The base URL of early-access-server: a path of your own site, or a full URL. */
const ENDPOINT = '/api';

export function EarlyAccessProvider({ children }: { children: ReactNode }) {
  // Created once: a new adapter would start a new session.
  const [adapter] = useState(() => httpAdapter({ endpoint: ENDPOINT }));
  return <Provider adapter={adapter}>{children}</Provider>;
}
