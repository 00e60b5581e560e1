/**
 * Like `npm start` with hot reload: Vite serves the site on PORT and forwards /api to the server. Both import the
 * package's source; only the scripts for other sites (/embed.js) come from the last build.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import path from 'node:path';
import { applySiteBrand } from '@early-access-kit/testkit/site-settings';
import { createServer as createVite } from 'vite';
import { KIT_SOURCE } from '../dev/kit-source.ts';
import { listen } from '../dev/listen.ts';
import { ROOT } from '../run.ts';
import { buildCodeOrExit } from '../turbo.ts';

await buildCodeOrExit(['early-access-kit#build']);
applySiteBrand();
const front = createServer();
const { port } = await listen(front, Number(process.env.PORT || 4173)).catch((error: Error) => {
  console.error(`${error.message}\nPORT chooses another port.`);
  process.exit(1);
});
const apiPort = await freePort();

// Vite runs in this process, so only the server has to be stopped.
const vite = await createVite({
  root: path.join(ROOT, 'site'),
  resolve: { alias: KIT_SOURCE },
  server: { middlewareMode: { server: front }, proxy: { '/api': `http://127.0.0.1:${apiPort}` } },
});
front.on('request', vite.middlewares);

const server = spawn(
  process.execPath,
  [
    `--import=${path.join(ROOT, 'scripts/dev/resolve-kit-source.ts')}`,
    '--watch',
    '--watch-preserve-output',
    path.join(ROOT, 'packages/early-access-server/src/cli.ts'),
  ],
  {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: String(apiPort),
      ALLOWED_ORIGINS: [process.env.ALLOWED_ORIGINS, `http://localhost:${port}`, `http://127.0.0.1:${port}`]
        .filter(Boolean)
        .join(','),
    },
    // Standard input is ignored, so that the server also runs without a terminal.
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopping = true;
    server.kill(signal);
  });
}
console.log(`Developing http://localhost:${port} (hot reload)`);

await once(server, 'exit');
await vite.close();
front.close();
front.closeAllConnections();
process.exitCode = stopping ? 0 : 1;

/** Returns a free port, for processes that need a port number before they start. */
async function freePort(): Promise<number> {
  const probe = await listen(createServer(), 0);
  await probe.close();
  return probe.port;
}
