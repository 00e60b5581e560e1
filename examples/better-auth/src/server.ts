import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { toNodeHandler } from 'better-auth/node';
import { auth, createTables, explain, invites } from './auth.ts';

const page = readFileSync(new URL('join.html', import.meta.url));
const handleAuth = toNodeHandler(auth);

/** Returns the text that the page shows before the form, which is empty if the invitation is good. */
async function checkInvite(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Object(await json(request).catch(() => null));
  const { result } = await invites.verify(String(body.invite));
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ refusal: result === 'valid' ? '' : explain(result) }));
}

await createTables();
const server = createServer((request, response) => {
  const { method, url = '/' } = request;
  if (url.startsWith('/api/auth/')) handleAuth(request, response);
  else if (method === 'POST' && url === '/api/invite') checkInvite(request, response);
  else response.setHeader('Content-Type', 'text/html; charset=utf-8').end(page);
});
server.listen(Number(process.env.PORT ?? 3000), 'localhost');
