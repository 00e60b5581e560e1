import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { toNodeHandler } from 'better-auth/node';
import { auth, createTables } from './auth.ts';

const page = readFileSync(new URL('join.html', import.meta.url));
const handleAuth = toNodeHandler(auth);

await createTables();
const server = createServer((request, response) => {
  if (request.url?.startsWith('/api/auth/')) handleAuth(request, response);
  else response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
});
server.listen(Number(process.env.PORT ?? 3000), 'localhost');
