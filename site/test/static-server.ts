import { extname } from 'node:path';
import { type HttpServer, serveHttp } from '@early-access-kit/testkit/http-server';
import { builtBytes, builtFiles, builtPolicy } from './built-site.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Serves the built site like a static host, with the strictest policy that works, and an API that stores nothing. */
export function serveBuiltSite(): Promise<HttpServer> {
  const files = new Set(builtFiles());
  const { scriptHashes, styleHashes } = builtPolicy();
  const quoted = (hashes: readonly string[]) => hashes.map((hash) => `'${hash}'`).join(' ');
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${quoted(scriptHashes)}`,
    `style-src ${quoted(styleHashes)}`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ');
  return serveHttp((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname.startsWith('/api/')) {
      response.writeHead(pathname === '/api/signups' ? 201 : 204).end('{"result":"created"}');
      return;
    }
    const wanted = pathname === '/' ? 'index.html' : pathname.slice(1);
    const file = files.has(wanted) ? wanted : '404.html';
    const headers = { 'Content-Type': TYPES[extname(file)] ?? 'text/plain', 'Content-Security-Policy': policy };
    response.writeHead(file === wanted ? 200 : 404, headers).end(builtBytes(file));
  });
}
