import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** What the browser says it wants it for, such as `prefetch;prerender`. */
  readonly purpose: string;
}

/** Stands before the server as the same site, adds one page of its own at `/opener`, and sees what the browser asks for. */
export interface Gatekeeper {
  readonly origin: string;
  readonly seen: readonly SeenRequest[];
  /** Resolves with the first request that fits, past or to come. */
  until(fits: (request: SeenRequest) => boolean): Promise<void>;
  /** Lets the opener go to the page that it has had prerendered. */
  open(): void;
  close(): Promise<void>;
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

  const proxy = createServer((incoming, answer) => {
    const { method = '', url: path = '', headers } = incoming;
    seen.push({ method, path, purpose: String(headers['sec-purpose'] ?? '') });
    events.emit('request');
    if (path === '/opener') answer.setHeader('Content-Type', 'text/html').end(OPENER);
    else if (path === '/go') events.once('open', () => answer.end());
    else forward(incoming, answer, upstream);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The gatekeeper listens on no port');
  return {
    origin: `http://localhost:${address.port}`,
    seen,
    async until(fits) {
      const signal = AbortSignal.timeout(20_000);
      while (!seen.some(fits)) await once(events, 'request', { signal });
    },
    open: () => void events.emit('open'),
    close() {
      proxy.closeAllConnections();
      return new Promise((resolve) => proxy.close(() => resolve()));
    },
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
