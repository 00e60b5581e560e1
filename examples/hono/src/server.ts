import { readFile } from 'node:fs/promises';
import { type HttpBindings, serve } from '@hono/node-server';
import { Hono } from 'hono';
import { earlyAccess } from './early-access.ts';

const page = await readFile(new URL('page.html', import.meta.url), 'utf8');
const app = new Hono<{ Bindings: HttpBindings }>();

app.use(async (c, next) => (earlyAccess.handles(c.req.path) ? earlyAccess.fetch(c.req.raw, c.env) : next()));
app.get('/', (c) => c.html(page));

const server = serve({
  fetch: app.fetch,
  hostname: process.env.HOST ?? 'localhost',
  port: Number(process.env.PORT ?? 3000),
});
earlyAccess.start();

process.once('SIGTERM', async () => {
  server.close();
  await earlyAccess.stop(8_000);
  process.exit();
});
