import { type HttpServer, serveHttp } from '@early-access-kit/testkit/http-server';

/** A host's site on its own origin. */
export interface OtherSite extends HttpServer {
  /** Adds a page with a Content-Security-Policy and returns its URL. */
  put(html: string, policy: string): string;
}

export async function startOtherSite(): Promise<OtherSite> {
  const pages: { html: string; policy: string }[] = [];
  const server = await serveHttp(({ url = '' }, response) => {
    const page = pages[Number(new URL(url, 'http://localhost').pathname.slice(1))];
    // Browsers request the icon even if no page links to it.
    if (url === '/favicon.ico') return void response.writeHead(204).end();
    if (page === undefined) return void response.writeHead(404).end();
    response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Security-Policy', page.policy);
    response.end(page.html);
  });
  return {
    ...server,
    put(html, policy) {
      pages.push({ html, policy });
      return `${server.origin}/${pages.length - 1}`;
    },
  };
}
