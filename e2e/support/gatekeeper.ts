import { EventEmitter, once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { HANGING_MS } from '@early-access-kit/testkit/hanging';
import { type HttpServer, serveHttp } from '@early-access-kit/testkit/http-server';

interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The browser's `Sec-Purpose`, such as `prefetch;prerender`. */
  readonly purpose: string;
}

/** A proxy in front of the server with its own origin. It records all requests and adds the page `/opener`. */
export interface Gatekeeper extends HttpServer {
  readonly seen: readonly SeenRequest[];
  /** Resolves with the first matching request, past or future. */
  until(fits: (request: SeenRequest) => boolean): Promise<void>;
  /** Makes the opener navigate to the page it prerendered. */
  open(): void;
}

/**
 * The opener prerenders the landing page and navigates to it once `/go` responds. Because the admin email is stored,
 * the prerendered page requests the overlay's code when it would start its session, so tests can wait for that request.
 */
const OPENER = `<!doctype html>
<title>Opener</title>
<script type="speculationrules">{"prerender":[{"source":"list","urls":["/"],"eagerness":"immediate"}]}</script>
<script>
localStorage.setItem('adminEmail', 'admin@studio.example');
// Counts this browser's visits, although it is the admin's.
localStorage.setItem('own_visits', '');
fetch('/go').then(() => { location.href = '/'; });
</script>`;

interface Changes {
  /** A script that runs before every page's scripts. */
  readonly preload?: string;
  /** Headers added to every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Served as a file, because pages only allow scripts from their own origin. */
export const PRELOAD = '/preload.js';

export async function startGatekeeper(server: string, { preload, headers: added }: Changes = {}): Promise<Gatekeeper> {
  const seen: SeenRequest[] = [];
  const events = new EventEmitter();
  const upstream = new URL(server);

  const proxy = await serveHttp((incoming, response) => {
    const { method = '', url: path = '', headers } = incoming;
    seen.push({ method, path, purpose: String(headers['sec-purpose'] ?? '') });
    events.emit('request');
    if (path === '/opener') response.setHeader('Content-Type', 'text/html').end(OPENER);
    else if (path === '/go') events.once('open', () => response.end());
    else if (path === PRELOAD) response.setHeader('Content-Type', 'text/javascript').end(preload);
    else forward(incoming, response, { upstream, added, withPreload: preload !== undefined });
  });
  return {
    ...proxy,
    seen,
    async until(fits) {
      const signal = AbortSignal.timeout(HANGING_MS);
      while (!seen.some(fits)) await once(events, 'request', { signal });
    },
    open: () => void events.emit('open'),
  };
}

interface Forwarding {
  readonly upstream: URL;
  readonly added: Changes['headers'];
  readonly withPreload: boolean;
}

function forward(incoming: IncomingMessage, reply: ServerResponse, { upstream, added, withPreload }: Forwarding): void {
  const { method, url: path } = incoming;
  const { hostname, port } = upstream;
  const headers = { ...incoming.headers, ...added };
  // A page can only be changed if it is complete and uncompressed.
  if (withPreload) for (const name of ['accept-encoding', 'if-none-match', 'if-modified-since']) delete headers[name];
  const outgoing = request({ hostname, port, method, path, headers }, (response) => {
    const { statusCode = 502, headers: received } = response;
    if (withPreload && received['content-type']?.startsWith('text/html')) {
      const { 'content-length': _, ...others } = received;
      reply.writeHead(statusCode, others);
      text(response).then(
        (page) => reply.end(page.replace('<head>', `<head><script src="${PRELOAD}"></script>`)),
        () => reply.destroy(),
      );
    } else {
      reply.writeHead(statusCode, received);
      response.pipe(reply);
    }
  });
  outgoing.on('error', () => reply.destroy());
  incoming.pipe(outgoing);
}
