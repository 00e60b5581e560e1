import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A program of a consumer that serves pages. */
export interface Program {
  stop(): Promise<void>;
}

/** Starts a program in a folder, and waits until it answers at the address. */
export async function startProgram(
  folder: string,
  args: readonly string[],
  { origin, env }: { origin: string; env: NodeJS.ProcessEnv },
): Promise<Program> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const answers = async () => {
    while (child.exitCode === null && child.signalCode === null) {
      const answer = await fetch(origin, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
      if (answer) return answer.body?.cancel();
      // Whichever comes first: more of its output, or its end. Neither means that it listens soon.
      await Promise.race([new Promise((resolve) => setTimeout(resolve, 50)), exit]);
    }
    throw new Error(`${args.join(' ')} ended before it answered:\n${output}`);
  };
  await answers();
  return {
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exit;
    },
  };
}

/** An origin of this machine that nobody has. The server has to know it before the program that gets it can be started. */
export async function freeOrigin(): Promise<{ origin: string; port: string }> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('No port is free');
  await new Promise((resolve) => listener.close(resolve));
  return { origin: `http://localhost:${address.port}`, port: String(address.port) };
}
