import { type HttpServer, serveHttp } from '@early-access-kit/testkit/http-server';

/** A host's site on its own origin. */
export interface OtherSite extends HttpServer {
  /** Adds a page with a Content-Security-Policy and other headers, and returns its URL. */
  put(html: string, policy: string, headers?: Readonly<Record<string, string>>): string;
}

export async function startOtherSite(): Promise<OtherSite> {
  const pages: { html: string; headers: Headers }[] = [];
  const server = await serveHttp(({ url = '' }, response) => {
    const page = pages[Number(new URL(url, 'http://localhost').pathname.slice(1))];
    // Browsers request the icon even if no page links to it.
    if (url === '/favicon.ico') return void response.writeHead(204).end();
    if (page === undefined) return void response.writeHead(404).end();
    response.setHeaders(page.headers).end(page.html);
  });
  return {
    ...server,
    put(html, policy, headers) {
      const own = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy };
      pages.push({ html, headers: new Headers({ ...own, ...headers }) });
      return `${server.origin}/${pages.length - 1}`;
    },
  };
}
