import { fileURLToPath } from 'node:url';
import { type Running, startProcess } from './child-process.ts';

const BUILT_SITE = fileURLToPath(new URL('../../../site/dist/client', import.meta.url));
export const BUILT_SERVER = fileURLToPath(new URL('../../early-access-server/dist/cli.js', import.meta.url));

/** The built server with the landing page, in a separate process. A restart uses the same port and data. */
export interface Server {
  readonly origin: string;
  /** The id of the running process, or of the last one. */
  readonly pid: number;
  /** The log lines of all starts. */
  readonly log: string;
  start(): Promise<void>;
  /** Sends SIGTERM, a normal shutdown. */
  stop(): Promise<void>;
  /** Sends SIGKILL, like a power cut. */
  kill(): Promise<void>;
}

/**
 * Starts it at the port in `env`, or at a free one. `through` is a program with arguments, such as `setpriv`, that
 * executes the server after changing its own process. `program` is the server of a different release.
 */
export async function startServer(
  env: Readonly<Record<string, string>>,
  through: readonly string[] = [],
  program = BUILT_SERVER,
): Promise<Server> {
  let port = env.PORT ?? '0';
  let running: Running | undefined;
  let earlierLog = '';

  async function start(): Promise<void> {
    earlierLog += running?.printed.stderr ?? '';
    running = startProcess([...through, process.execPath, program], {
      env: { SITE_DIR: BUILT_SITE, ...env, PORT: port },
    });
    port = await running.printedMatch('stdout', /^Serving\s+http:\/\/localhost:(\d+)$/m);
  }

  await start();
  return {
    origin: `http://localhost:${port}`,
    get pid() {
      return running?.process.pid ?? 0;
    },
    get log() {
      return earlierLog + (running?.printed.stderr ?? '');
    },
    start,
    stop: async () => running?.end('SIGTERM'),
    kill: async () => running?.end('SIGKILL'),
  };
}
