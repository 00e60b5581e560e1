import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { renderToString } from 'react-dom/server';
import { Page } from './page.jsx';

const API = process.env.EARLY_ACCESS_API ?? 'http://localhost:4173/api';
const PUBLIC = path.resolve('dist/public');
const TYPES = { '.js': 'text/javascript', '.css': 'text/css' };

const origin = new URL(API).origin;
const POLICY = `default-src 'self'; connect-src 'self' ${origin}; form-action 'self' ${origin}; base-uri 'none'; img-src 'self' data:`;

function document() {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Early access, rendered by Node</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/client.css">
    <script type="module" src="/client.js"></script>
  </head>
  <body><div id="root" data-api="${API}">${renderToString(<Page api={API} />)}</div></body>
</html>`;
}

createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Security-Policy', POLICY);
    return response.end(document());
  }
  const file = path.join(PUBLIC, path.basename(pathname));
  const content = await readFile(file).catch(() => undefined);
  if (content === undefined) return response.writeHead(404).end();
  response.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'application/octet-stream').end(content);
}).listen(Number(process.env.PORT ?? 3000), 'localhost', function listening() {
  console.log(`http://localhost:${this.address().port}`);
});
