import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signupOf } from '@early-access-kit/testkit/records';
import { expect, it, onTestFinished, vi } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Starts `npm run dev` without a terminal, as a process group leader. It is killed after the test. */
function startDev() {
  const folder = mkdtempSync(path.join(tmpdir(), 'early-access-dev-'));
  const { NODE_ENV: _, ...env } = process.env;
  const child = spawn('npm', ['run', 'dev'], {
    cwd: ROOT,
    env: { ...env, PORT: '0', DATA_DIR: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('npm cannot be started');
  const group = -pid;
  onTestFinished(() => {
    if (isAlive(group)) process.kill(group, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  child.stdin.end();
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, group, exit: once(child, 'exit'), output: () => output };
}

/** Returns whether a process is running, or any process of a group (negative id). */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'npm run dev works without standard input, stops on %s and leaves no child process',
  async (signal) => {
    const { child, group, exit, output } = startDev();
    const origin = await vi.waitFor(
      () => {
        const found = /^Developing (http:\S+)/m.exec(output())?.[1];
        if (found === undefined) throw new Error(`The server is not ready yet:\n${output()}`);
        return found;
      },
      { interval: 100 },
    );
    expect(await (await fetch(origin)).text()).toContain('/@vite/client');
    const signUp = () =>
      fetch(`${origin}/api/signups`, { method: 'POST', headers: { origin }, body: JSON.stringify(signupOf()) });
    await vi.waitFor(async () => expect((await signUp()).status).toBe(201), { interval: 100 });

    expect(child.exitCode).toBeNull();
    child.kill(signal);
    expect(await exit).toEqual([0, null]);
    // An ended process stays in its group until its parent, or init in its place, has reaped it.
    await vi.waitFor(() => expect(isAlive(group)).toBe(false), { interval: 20 });
  },
);
