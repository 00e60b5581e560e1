import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';

export interface HttpServer {
  /** `http://localhost:PORT` */
  readonly origin: string;
  /** Closes all connections and stops the server. */
  close(): Promise<void>;
}

/** Starts an HTTP server on a free loopback port. */
export async function serveHttp(listener: RequestListener): Promise<HttpServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://localhost:${getPort(server)}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns an unused port, the preferred one if possible, for programs that need a port number before they start. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer().listen(preferred, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  const port = getPort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The TCP port of a listening server. */
export function getPort(server: Pick<Server, 'address'>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port');
  return address.port;
}
