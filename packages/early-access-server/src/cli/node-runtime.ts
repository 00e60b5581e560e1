import packageJson from '../../package.json' with { type: 'json' };

/** The oldest supported Node, such as `22.16`: the first whose SQLite contains the full-text index used for search. */
export const OLDEST_NODE = packageJson.engines.node.replace('>=', '');

/** Returns a message with the required version if `version`, such as `20.19.0`, is too old; otherwise null. */
export function oldNodeMessage(version: string): string | null {
  if (version.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0) return null;
  return `early-access-server: needs Node ${OLDEST_NODE} or newer, but runs on ${version}; get it from https://nodejs.org\n`;
}

/**
 * Without limits, V8 collects 128 MB of young objects before garbage collection, and lets the heap grow to a multiple
 * of what is in use. With these limits, a server under load needs 230 MB instead of 310, without more CPU time; half of
 * the young generation would cost a tenth more.
 */
export const HEAP_LIMITS = ['--max-semi-space-size=16', '--max-old-space-size=512'] as const;

const OWN_LIMIT = /--max[-_](semi[-_]space|old[-_]space|heap)[-_]size/;

/** The properties that determine whether a process can be replaced. */
export interface ReplaceableProcess
  extends Pick<typeof process, 'execPath' | 'execArgv' | 'argv' | 'env' | 'platform'> {
  readonly execve?: typeof process.execve | undefined;
  readonly send?: unknown;
}

/**
 * Replaces this process with one that has `HEAP_LIMITS`, because V8 only accepts them at start. Process id, terminal
 * and signals stay the same. Does nothing if the process has its own limits, if it has an IPC channel to its parent
 * (`fork`, pm2), and on Windows, where this is impossible.
 */
export function limitHeap(script: string, current: ReplaceableProcess = process): void {
  const { execve, execPath, execArgv, argv, env, platform, send } = current;
  const given = `${execArgv.join(' ')} ${env.NODE_OPTIONS ?? ''}`;
  if (OWN_LIMIT.test(given) || send !== undefined || platform === 'win32' || execve === undefined) return;
  execve(execPath, [execPath, ...execArgv, ...HEAP_LIMITS, script, ...argv.slice(2)], env);
}
