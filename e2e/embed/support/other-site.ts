import { once } from 'node:events';
import { createServer } from 'node:http';

/** A site of somebody else, on an origin of its own. */
export interface OtherSite {
  readonly origin: string;
  /** Puts up a page under a policy, and answers with its URL. */
  put(html: string, policy: string): string;
  close(): Promise<void>;
}

export async function startOtherSite(): Promise<OtherSite> {
  const pages: { html: string; policy: string }[] = [];
  const server = createServer(({ url = '' }, answer) => {
    const page = pages[Number(new URL(url, 'http://localhost').pathname.slice(1))];
    // Browsers ask for an icon that no page names.
    if (url === '/favicon.ico') return void answer.writeHead(204).end();
    if (page === undefined) return void answer.writeHead(404).end();
    answer.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Security-Policy', page.policy);
    answer.end(page.html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The other site listens on no port');
  const origin = `http://localhost:${address.port}`;
  return {
    origin,
    put(html, policy) {
      pages.push({ html, policy });
      return `${origin}/${pages.length - 1}`;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
