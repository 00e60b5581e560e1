import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Duplex } from 'node:stream';
import getTLSOptions from 'smtp-server/lib/tls-options.js';
import { getPort } from './http-server.ts';

/** A proxy for browsers that maps internet hosts to servers on this machine. */
export interface HostProxy {
  readonly url: string;
  /** Closes all connections and rejects new ones until `resume` is called. */
  interrupt(): void;
  resume(): void;
  close(): Promise<void>;
}

/**
 * Forwards `https` requests for each host to the server at its URL, whose path is prepended to the request's. All other
 * hosts are unreachable. The certificate is not trusted, so the browser must ignore certificate errors.
 */
export async function startHostProxy(urls: ReadonlyMap<string, string>): Promise<HostProxy> {
  const tunnels = new Set<Duplex>();
  let interrupted = false;
  const secure = createSecureServer(getTLSOptions(), (incoming, response) =>
    forward(incoming, response, urls.get(incoming.headers.host ?? '')),
  );
  const proxy = createServer((_, response) => response.writeHead(502).end());
  proxy.on('connect', ({ url }: IncomingMessage, socket: Duplex) => {
    const host = url?.replace(/:443$/, '') ?? '';
    if (interrupted || !urls.has(host)) return socket.destroy();
    tunnels.add(socket);
    socket.on('close', () => tunnels.delete(socket)).on('error', () => {});
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    return secure.emit('connection', socket);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const hangUp = () => {
    for (const socket of tunnels) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${getPort(proxy)}`,
    interrupt() {
      interrupted = true;
      hangUp();
    },
    resume() {
      interrupted = false;
    },
    close() {
      hangUp();
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
  };
}

/** Forwards a request with its sender's address, as Google's front end adds it. */
function forward(incoming: IncomingMessage, response: ServerResponse, url = ''): void {
  const headers = { ...incoming.headers, 'x-forwarded-for': '127.0.0.1' };
  const outgoing = request(url + incoming.url, { method: incoming.method ?? 'GET', headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  incoming.pipe(outgoing);
}
