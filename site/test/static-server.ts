import { createServer, type Server } from 'node:http';
import { extname } from 'node:path';
import { builtBytes, builtFiles, builtPolicy } from './built-site.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

/** Serves the built site as any static host would, under the strictest policy that the build allows, and an API that keeps nothing. */
export async function serveBuiltSite(): Promise<{ server: Server; origin: string }> {
  const files = new Set(builtFiles());
  const hashes = builtPolicy().styleHashes.map((hash) => `'${hash}'`);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${hashes.join(' ')}`,
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ');
  const server = createServer((request, response) => {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { server, origin: `http://127.0.0.1:${address.port}` };
}
