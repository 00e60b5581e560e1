import { spawn } from 'node:child_process';
import { Failure } from './failure.ts';

/** The commands of each package manager. */
export const PACKAGE_MANAGERS = {
  npm: { install: 'npm install', run: 'npm run' },
  pnpm: { install: 'pnpm install', run: 'pnpm' },
  yarn: { install: 'yarn install', run: 'yarn' },
  bun: { install: 'bun install', run: 'bun run' },
} as const;

export type PackageManager = keyof typeof PACKAGE_MANAGERS;

/** Returns the package manager that started this program, according to `npm_config_user_agent`; otherwise npm. */
export function currentPackageManager(userAgent: string | undefined): PackageManager {
  const name = userAgent?.split('/')[0];
  return name === 'pnpm' || name === 'yarn' || name === 'bun' ? name : 'npm';
}

/** Error codes in a package manager's output. The last one is the most specific. */
const CODE = /\b(E[A-Z]{4,}|ERR_[A-Z_]{4,})\b/g;
const NETWORK = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b/;
const NOT_FOUND = 127;
/** Limits the retries without a network. By default, npm waits for up to a minute between two attempts. */
const SOON = { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '3000' };

interface Installation {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Such as `npm install`. */
  readonly command: string;
  /** The command to try again. */
  readonly repeat: string;
}

/** Installs the project's dependencies. Throws a `Failure` with the command to repeat. */
export async function install({ folder, env, command, repeat }: Installation): Promise<void> {
  const [program = '', ...args] = command.split(' ');
  const { code, output } = await runProgram(folder, program, args, env);
  if (code === 0) return;
  throw new Failure(
    `the project was written, but its dependencies could not be installed (${command}: ${explainFailure(program, code, output)}); to try again: ${repeat}`,
  );
}

function explainFailure(program: string, code: number, output: string): string {
  if (code === NOT_FOUND) return `${program} is not installed`;
  const network = NETWORK.exec(output);
  if (network !== null) return `no connection to the registry, ${network[0]}`;
  return output.match(CODE)?.at(-1) ?? `exit code ${code}`;
}

function runProgram(
  cwd: string,
  program: string,
  args: readonly string[],
  inherited: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    // On Windows, package managers are scripts, which only a shell can start. The command contains no user input.
    const shell = process.platform === 'win32';
    const env = { ...inherited, ...SOON };
    const child = spawn(program, args, { cwd, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', (error) => resolve({ code: NOT_FOUND, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
