import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type HttpServer, serveHttp } from '@early-access-kit/testkit/http-server';

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The browser's `Sec-Purpose`, such as `prefetch;prerender`. */
  readonly purpose: string;
}

/** A proxy in front of the server, on its own origin. It records all requests and adds one page, `/opener`. */
export interface Gatekeeper extends HttpServer {
  readonly seen: readonly SeenRequest[];
  /** Resolves with the first matching request, past or future. */
  until(fits: (request: SeenRequest) => boolean): Promise<void>;
  /** Makes the opener navigate to the page it prerendered. */
  open(): void;
}

/**
 * The opener prerenders the landing page and navigates to it once `/go` responds. Because of the stored admin email, the prerendered
 * page requests the overlay's code at the moment it would start its session, so tests can wait for that request.
 */
const OPENER = `<!doctype html>
<title>Opener</title>
<script type="speculationrules">{"prerender":[{"source":"list","urls":["/"],"eagerness":"immediate"}]}</script>
<script>
localStorage.setItem('adminEmail', 'admin@studio.example');
// Its visits count all the same.
localStorage.setItem('own_visits', '');
fetch('/go').then(() => { location.href = '/'; });
</script>`;

export async function startGatekeeper(server: string): Promise<Gatekeeper> {
  const seen: SeenRequest[] = [];
  const events = new EventEmitter();
  const upstream = new URL(server);

  const proxy = await serveHttp((incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    seen.push({ method, path, purpose: String(headers['sec-purpose'] ?? '') });
    events.emit('request');
    if (path === '/opener') response.setHeader('Content-Type', 'text/html').end(OPENER);
    else if (path === '/go') events.once('open', () => response.end());
    else forward(incoming, response, upstream);
  });
  return {
    ...proxy,
    seen,
    async until(fits) {
      const signal = AbortSignal.timeout(20_000);
      while (!seen.some(fits)) await once(events, 'request', { signal });
    },
    open: () => void events.emit('open'),
  };
}

function forward(incoming: IncomingMessage, reply: ServerResponse, { hostname, port }: URL): void {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ hostname, port, method, path, headers }, (response) => {
    reply.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(reply);
  });
  outgoing.on('error', () => reply.destroy());
  incoming.pipe(outgoing);
}
