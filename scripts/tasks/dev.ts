/** The same as `npm start` with hot reload: Vite serves the site on PORT and passes /api on to the server beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { buildPart } from '../build.ts';
import { ROOT } from '../run.ts';

const port = Number(process.env.PORT ?? 4173);
const apiPort = port + 1;

const { code, output } = await buildPart('kit');
if (code !== 0) {
  console.error(output);
  process.exit(1);
}

const children = [
  start('packages/early-access-kit', 'tsup', ['--watch', 'src', '--silent']),
  start('.', process.execPath, ['--watch', '--watch-preserve-output', 'packages/server/src/main.ts'], {
    PORT: String(apiPort),
    ALLOWED_ORIGINS: [process.env.ALLOWED_ORIGINS, `http://localhost:${port}`, `http://127.0.0.1:${port}`]
      .filter(Boolean)
      .join(','),
  }),
  start('site', 'vite', ['--port', String(port), '--strictPort'], { API_URL: `http://127.0.0.1:${apiPort}` }),
];

let stopping = false;
for (const child of children) child.once('exit', (exitCode) => stop(exitCode ?? 1));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(0));

function start(cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(command, args, { cwd: path.join(ROOT, cwd), env: { ...process.env, ...env }, stdio: 'inherit' });
}

/** One without the others is of no use: the first to end takes all of them along. */
function stop(exitCode: number): void {
  if (stopping) return;
  stopping = true;
  process.exitCode = exitCode;
  for (const child of children) child.kill('SIGTERM');
}
