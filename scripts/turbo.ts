import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { killGroup } from '@early-access-kit/testkit/child-process';
import { ROOT } from './run.ts';

export interface TurboOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Turborepo's output stream. Default: standard error, because a command's standard output may be redirected. */
  readonly output?: 'stdout' | 'stderr';
}

const running = new Set<ChildProcess>();

/**
 * Runs Turborepo tasks and returns the exit code. Before this process exits on a signal, the tasks of all runs have
 * stopped, and programs that Turborepo does not wait for, such as git, are killed.
 */
export function runTurbo(args: readonly string[], { env = {}, output = 'stderr' }: TurboOptions = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn('turbo', ['run', '--output-logs=errors-only', ...args], {
      cwd: ROOT,
      env: { ...process.env, ...env, TURBO_TELEMETRY_DISABLED: '1' },
      stdio: ['ignore', output === 'stdout' ? 1 : 2, 2],
      // Makes it the leader of a process group, which can be killed as a whole.
      detached: true,
    });
    running.add(child);
    let received: NodeJS.Signals | undefined;
    const stop = (signal: NodeJS.Signals) => {
      received ??= signal;
      // Turborepo's launcher only forwards SIGTERM.
      child.kill('SIGTERM');
    };
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.on(signal, stop);
    child.once('error', (error) => {
      running.delete(child);
      console.error(error.message);
      resolve(127);
    });
    child.once('close', (code) => {
      running.delete(child);
      for (const signal of signals) process.off(signal, stop);
      if (received === undefined) return resolve(code ?? 1);
      killGroup(child.pid);
      if (running.size === 0) process.exit(128 + constants.signals[received]);
    });
  });
}

/** Builds a target such as `site#build` and its dependencies with Turborepo. Exits if the build fails. */
export async function buildOrExit(tasks: readonly string[]): Promise<void> {
  const code = await runTurbo(tasks);
  if (code !== 0) process.exit(code);
}

/** All builds that `npm start` serves. */
export const SELF_HOSTED = ['early-access-server#build', 'site#build'];

/**
 * Like `buildOrExit`, but without types in a new clone: building them takes most of the time, and they are not needed
 * at run time.
 */
export async function buildCodeOrExit(tasks: readonly string[]): Promise<void> {
  const hasTypes = existsSync(path.join(ROOT, 'packages/early-access-kit/dist/index.d.ts'));
  await buildOrExit(hasTypes ? tasks : tasks.map((task) => `${task}:start`));
}
