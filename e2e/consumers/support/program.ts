import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from '@playwright/test';

/** Far more than any program takes to start on an idle machine. */
const START_MS = 60_000;

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
  const ended = exit.then(() => {
    throw new Error(`${args.join(' ')} ended before it answered:\n${output}`);
  });
  const answers = () =>
    expect(async () => {
      await (await fetch(origin)).body?.cancel();
    }).toPass({ intervals: [50], timeout: START_MS });
  await Promise.race([answers(), ended]);
  // It ends when the test wants it to.
  ended.catch(() => {});
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
