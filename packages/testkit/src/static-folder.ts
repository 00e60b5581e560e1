import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type HttpServer, serveHttp } from './http-server.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/**
 * Serves a folder like a static host, with caching. `policy` returns a Content-Security-Policy; it is called for each
 * request, so that it can contain the origin.
 */
export function serveFolder(folder: string, policy?: () => string): Promise<HttpServer> {
  return serveHttp(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = path.join(folder, path.normalize(pathname.replace(/\/$/, '/index.html')));
    const content = await readFile(file).catch(() => undefined);
    if (content === undefined) return response.writeHead(404).end();
    response.writeHead(200, {
      'Content-Type': TYPES[path.extname(file)] ?? 'application/octet-stream',
      'Cache-Control': 'max-age=3600',
      ...(policy && { 'Content-Security-Policy': policy() }),
    });
    return response.end(content);
  });
}
