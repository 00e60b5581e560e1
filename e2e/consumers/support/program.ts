import { type Running, startProcess } from '@early-access-kit/testkit/child-process';
import { freePort } from '@early-access-kit/testkit/http-server';
import { expect } from '@playwright/test';

/** Starts a consumer's program in a folder and waits until it serves the origin. */
export async function startProgram(
  folder: string,
  args: readonly string[],
  { origin, env }: { origin: string; env: NodeJS.ProcessEnv },
): Promise<Running & { stop(): Promise<void> }> {
  const program = startProcess([process.execPath, ...args], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production', ...env },
  });
  const served = () =>
    expect(async () => {
      await (await fetch(origin)).body?.cancel();
    }).toPass({ intervals: [50] });
  const ended = await Promise.race([served(), program.finished]);
  if (ended) throw new Error(`${args.join(' ')} ended before it served:\n${ended.stdout}${ended.stderr}`);
  return { ...program, stop: () => program.end('SIGTERM') };
}

/** Returns a free origin. The server must allow it before the program that uses it starts. */
export async function freeOrigin(): Promise<{ origin: string; port: string }> {
  const port = await freePort();
  return { origin: `http://localhost:${port}`, port: String(port) };
}
