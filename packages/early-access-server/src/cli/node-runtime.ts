import packageJson from '../../package.json' with { type: 'json' };

/**
 * The oldest Node that the package runs on, such as `22.16`: the first one whose SQLite has the index that searches the
 * list.
 */
export const OLDEST_NODE = packageJson.engines.node.replace('>=', '');

/** One line that names the version needed if `version`, such as `20.19.0`, is too old; otherwise null. */
export function oldNodeMessage(version: string): string | null {
  if (version.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0) return null;
  return `early-access-server: this needs Node ${OLDEST_NODE} or newer, and runs on ${version}; https://nodejs.org has the current one\n`;
}

/**
 * Without limits V8 lets 128 MB of young objects gather before it looks for garbage, and the rest of the heap grow to a
 * multiple of what is in use, because the machine has more. With these a server under load takes 230 MB instead of 310,
 * and no more processor time; with half the young objects it takes a tenth more.
 */
export const HEAP_LIMITS = ['--max-semi-space-size=16', '--max-old-space-size=512'] as const;

const OWN_LIMIT = /--max[-_](semi[-_]space|old[-_]space|heap)[-_]size/;

/** The properties that decide whether a process may be replaced. */
export interface ReplaceableProcess
  extends Pick<typeof process, 'execPath' | 'execArgv' | 'argv' | 'env' | 'platform'> {
  readonly execve?: typeof process.execve | undefined;
  readonly send?: unknown;
}

/**
 * Replaces this process by the same one with `HEAP_LIMITS`, because V8 takes them only at its start. Process id,
 * terminal and signals stay the same. Leaves it as it is if it has its own limits, if a parent talks to it (`fork`,
 * pm2), and on Windows, which cannot do it.
 */
export function limitHeap(script: string, current: ReplaceableProcess = process): void {
  const { execve, execPath, execArgv, argv, env, platform, send } = current;
  const given = `${execArgv.join(' ')} ${env.NODE_OPTIONS ?? ''}`;
  if (OWN_LIMIT.test(given) || send !== undefined || platform === 'win32' || execve === undefined) return;
  execve(execPath, [execPath, ...execArgv, ...HEAP_LIMITS, script, ...argv.slice(2)], env);
}
