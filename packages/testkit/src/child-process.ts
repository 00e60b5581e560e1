import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The result of a finished process. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A child process whose output is collected. */
export interface Running {
  readonly process: ChildProcess;
  /** Its output so far. */
  readonly printed: { stdout: string; stderr: string };
  readonly finished: Promise<Finished>;
  /** Waits until the output matches and returns the first group. Rejects if the process ends before that. */
  printedMatch(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string>;
  /** Sends the signal unless the process has ended, and waits until it ends. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Node's compile cache, which halves the start time of a TypeScript program. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** Kills each running program when this process ends. */
const leftovers = new Set<() => void>();
process.on('exit', () => {
  for (const kill of leftovers) kill();
});

interface ProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Starts the program as a process group leader, like a terminal does. `end` then signals the whole group. */
  readonly detached?: boolean;
}

/** Returns a command that removes root's right to ignore file permissions. Empty for other users. */
export function withoutOverride(): readonly string[] {
  return process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];
}

/** Starts a program with only the given environment, so that the machine's settings cannot change a test. */
export function startProcess(
  [program = '', ...args]: readonly string[],
  { env, cwd, detached = false }: ProcessOptions,
): Running {
  const child = spawn(program, args, {
    env: { NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
    ...(cwd !== undefined && { cwd }),
  });
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  }
  const finished = once(child, 'close').then(() => ({ ...printed, code: child.exitCode, signal: child.signalCode }));
  const kill = () => (detached ? killGroup(child.pid) : child.kill('SIGKILL'));
  leftovers.add(kill);
  finished.finally(() => leftovers.delete(kill));
  return {
    process: child,
    printed,
    finished,
    async printedMatch(stream, pattern) {
      const ended = finished.then(() => 'ended' as const);
      for (;;) {
        const match = pattern.exec(printed[stream]);
        if (match !== null) return match[1] ?? '';
        if ((await Promise.race([once(child[stream], 'data'), ended])) === 'ended') {
          throw new Error(`The process ended:\n${printed.stdout}${printed.stderr}`);
        }
      }
    },
    async end(signal) {
      const isRunning = child.exitCode === null && child.signalCode === null;
      if (isRunning && detached && child.pid !== undefined) process.kill(-child.pid, signal);
      else if (isRunning) child.kill(signal);
      await finished;
    },
  };
}

/** Kills all remaining processes of a group. */
export function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}
