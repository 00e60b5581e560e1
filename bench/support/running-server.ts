import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of the built server's program. */
export const SERVER = fileURLToPath(new URL('../../packages/early-access-server/dist/cli.js', import.meta.url));
const SITE_DIR = fileURLToPath(new URL('../../site/dist/client', import.meta.url));

/** The built server in its own process, as `npm start` runs it. */
export interface RunningServer {
  readonly url: string;
  /** The time from the start of the process until it served. */
  readonly startMs: number;
  /** Current memory. NaN outside of Linux, like `processorMs`. */
  memoryMb(): number;
  /** Processor time so far, on all of its threads. */
  processorMs(): number;
  stop(): Promise<void>;
}

/** How to start a server. It prints its address to standard output when it is ready. */
interface Start {
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Matches the line that it prints when it is ready, with its address as the first group. */
  readonly ready: RegExp;
}

/** `flags` are Node's own. */
export function startServer(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Promise<RunningServer> {
  return startProgram({
    args: [...flags, SERVER],
    env: { SITE_DIR, PORT: '0', MAILS_PER_HOUR: '1000000', ...env },
    ready: /^Serving\s+(http:\S+)$/m,
  });
}

/** Starts a server in its own process, with only the given environment. */
export async function startProgram({ args, env, cwd, ready }: Start): Promise<RunningServer> {
  const started = performance.now();
  // The log, with one line per email, is written as in production, but discarded.
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    ...(cwd !== undefined && { cwd }),
  });
  const exit = once(child, 'exit');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    const url = ready.exec(output)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.once('exit', () => reject(new Error(`The server did not start:\n${output}`)));
  const url = await promise;
  return {
    url,
    startMs: performance.now() - started,
    memoryMb: () => Number(/^VmRSS:\s+(\d+)/m.exec(procFile(child.pid, 'status'))?.[1] ?? Number.NaN) / 1_024,
    processorMs: () => ticks(procFile(child.pid, 'stat')) * 10,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}

function procFile(pid: number | undefined, name: string): string {
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/${name}`, 'utf8') : '';
}

/** Returns user and system time in hundredths of a second, which follow the program's name. */
function ticks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
