import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The commands of the built server. */
export const SERVER = fileURLToPath(new URL('../../packages/early-access-server/dist/cli.js', import.meta.url));
const SITE_DIR = fileURLToPath(new URL('../../site/dist/client', import.meta.url));

/** The built server in its own process, as `npm start` runs it. */
export interface RunningServer {
  readonly url: string;
  /** The time from the start of the process until it served. */
  readonly startMs: number;
  /** Memory that it holds now. Linux only, as the next; NaN elsewhere. */
  memoryMb(): number;
  /** Processor time that it has used so far, on all of its threads. */
  processorMs(): number;
  stop(): Promise<void>;
}

/** How a server is started. It says where it serves on its standard output. */
interface Start {
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Matches the line that it prints when it serves, with its address as the first group. */
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

/** Starts a server in its own process, with no other environment than the given one. */
export async function startProgram({ args, env, cwd, ready }: Start): Promise<RunningServer> {
  const started = performance.now();
  // Log lines of a mail each are written, as in production, and read by nobody.
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

/** User and system time in hundredths of a second, which stand behind the name of the program. */
function ticks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
