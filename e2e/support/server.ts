import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const MAIN = fileURLToPath(new URL('../../packages/early-access-server/dist/cli.js', import.meta.url));

/** The built server in a process of its own. It keeps its port and its data when it is stopped and started again. */
export interface Server {
  readonly origin: string;
  /** Of the process that runs, or ran last. */
  readonly pid: number;
  /** What it has logged, over all its starts. */
  readonly log: string;
  start(): Promise<void>;
  /** Ends it as an operator does. */
  stop(): Promise<void>;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
}

/** `through`: a program, with its arguments, that becomes the server after it has changed something about the process. */
export async function startServer(
  env: Readonly<Record<string, string>>,
  through: readonly string[] = [],
): Promise<Server> {
  const [program = '', ...args] = [...through, process.execPath, MAIN];
  let port = '0';
  let child: ChildProcess | undefined;
  let log = '';

  async function start(): Promise<void> {
    // Nothing of the machine's own settings: a MAIL_FROM or PUBLIC_URL there would change what is tested.
    const started = spawn(program, args, { env: { ...env, PORT: port }, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    let output = '';
    for await (const text of started.stdout.setEncoding('utf8')) {
      output += text;
      const found = /^Serving\s+http:\/\/localhost:(\d+)$/m.exec(output)?.[1];
      if (found === undefined) continue;
      port = found;
      started.stdout.destroy();
      return;
    }
    throw new Error(`The server did not start:\n${output}${log}`);
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  await start();
  return {
    origin: `http://localhost:${port}`,
    get pid() {
      return child?.pid ?? 0;
    },
    get log() {
      return log;
    },
    start,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}
