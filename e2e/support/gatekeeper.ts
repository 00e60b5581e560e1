import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type HttpServer, serveHttp } from '@early-access-kit/testkit/http-server';

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The browser's `Sec-Purpose`, such as `prefetch;prerender`. */
  readonly purpose: string;
}

/** A proxy of the server, on an origin of its own, that records all requests and adds one page, `/opener`. */
export interface Gatekeeper extends HttpServer {
  readonly seen: readonly SeenRequest[];
  /** Resolves with the first matching request, past or future. */
  until(fits: (request: SeenRequest) => boolean): Promise<void>;
  /** Lets the opener navigate to the page it prerendered. */
  open(): void;
}

/**
 * The opener has the landing page prerendered, and goes there once `/go` is answered. The stored admin email makes the
 * prerendered page ask for the overlay's code in the same turn in which it would start its visit: a sign that can be waited for.
 */
const OPENER = `<!doctype html>
<title>Opener</title>
<script type="speculationrules">{"prerender":[{"source":"list","urls":["/"],"eagerness":"immediate"}]}</script>
<script>
localStorage.setItem('adminEmail', 'owner@studio.example');
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

function forward(incoming: IncomingMessage, answer: ServerResponse, { hostname, port }: URL): void {
  const { method, url: path, headers } = incoming;
  const outgoing = request({ hostname, port, method, path, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
}
