import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { startProcess } from '@early-access-kit/testkit/child-process';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function running(): Running[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid, parent, ...command] = line.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), command: command.join(' ') };
  });
}

function findDescendants(pid: number, all = running()): Running[] {
  return all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...findDescendants(child.pid, all)]);
}

it.each(['SIGTERM', 'SIGINT'] as const)(
  'npm test stops on %s, starts no further check and leaves no child process',
  async (signal) => {
    const { NODE_ENV: _, TURBO_HASH: __, ...env } = process.env;
    const child = spawn('npm', ['test', '--', 'lint', 'test:storybook'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exit = once(child, 'exit');
    const { pid } = child;
    if (pid === undefined) throw new Error('npm cannot be started');
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    let started: Running[] = [];
    onTestFinished(() => {
      for (const { pid } of started.filter(isAlive)) process.kill(pid, 'SIGKILL');
    });
    await vi.waitFor(
      () => {
        started = findDescendants(pid);
        expect(started.map(({ command }) => command)).toContainEqual(expect.stringMatching(/biome.* ci /));
      },
      { interval: 100 },
    );

    child.kill(signal);
    expect(await exit).toEqual([128 + constants.signals[signal], null]);
    await expectEnded(started);
    expect(output).not.toContain('Running test:storybook');
    // The builds ended before the check started.
    expect(output.replaceAll(/^✓ \S+#build .*$/gm, '')).not.toMatch(/\d+ passed/);
  },
);

it('ends a program that Turborepo started and does not wait for', async () => {
  const folder = tempFolder();
  // Turborepo itself leaves git running.
  const leave = 'trap exit TERM; sleep 1000 > /dev/null 2>&1 & echo "left $!"; wait';
  writeFileSync(path.join(folder, 'turbo'), `#!/bin/sh\n${leave}\n`, { mode: 0o755 });
  const code = `import { runTurbo } from '${ROOT}/scripts/turbo.ts'; await runTurbo([], { output: 'stdout' });`;
  const env = { PATH: [folder, process.env.PATH].join(path.delimiter) };
  const child = startProcess([process.execPath, '--input-type=module', '--eval', code], { env });
  const pid = Number(await child.printedMatch('stdout', /left (\d+)/));
  const left = running().filter((other) => other.pid === pid);
  onTestFinished(() => {
    if (left.some(isAlive)) process.kill(pid, 'SIGKILL');
  });
  expect(left).toHaveLength(1);
  await child.end('SIGINT');
  await expectEnded(left);
});

/** A killed process may exist for a moment. */
const expectEnded = (processes: readonly Running[]) =>
  vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]), { interval: 100 });

/** Compares the command, too, because the system may reuse the id. */
function isAlive({ pid, command }: Running): boolean {
  return running().some((other) => other.pid === pid && other.command === command);
}
