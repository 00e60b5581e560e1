import { fileURLToPath } from 'node:url';
import { nodeMiddleware } from 'early-access-server';
import express from 'express';
import { earlyAccess } from './early-access.ts';

const page = fileURLToPath(new URL('page.html', import.meta.url));
const app = express();

app.use(nodeMiddleware(earlyAccess));
app.get('/', (_request, response) => response.sendFile(page));

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? 'localhost');
earlyAccess.start();

process.once('SIGTERM', async () => {
  server.close();
  await earlyAccess.stop(8_000);
  process.exit();
});
