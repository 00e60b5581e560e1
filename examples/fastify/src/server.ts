import { readFile } from 'node:fs/promises';
import { nodeMiddleware } from 'early-access-server';
import fastify from 'fastify';
import { earlyAccess } from './early-access.ts';

const page = await readFile(new URL('page.html', import.meta.url), 'utf8');
const app = fastify();

const handle = nodeMiddleware(earlyAccess);
// Before Fastify reads the body.
app.addHook('onRequest', (request, reply, next) => handle(request.raw, reply.raw, next));
app.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));

await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? 'localhost' });
earlyAccess.start();

process.once('SIGTERM', async () => {
  await app.close();
  await earlyAccess.stop(8_000);
  process.exit();
});
