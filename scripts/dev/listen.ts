import { once } from 'node:events';
import type { Server } from 'node:http';

export interface Listening {
  readonly port: number;
  /** Stops accepting requests, and resolves once open ones have their responses. */
  close(): Promise<void>;
}

/** Listens on loopback. Port 0 chooses a free port. */
export async function listen(server: Server, wanted: number): Promise<Listening> {
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the site listens on no port');
  return {
    port: address.port,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      return closed;
    },
  };
}
