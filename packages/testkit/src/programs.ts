import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as playwright } from 'playwright';

export interface Chromium {
  readonly executablePath: string;
  /** Environment variables it needs. */
  readonly env: Readonly<Record<string, string>>;
  /** Headless shells have neither a back/forward cache nor prerendering, so two tests need a full browser. */
  readonly kind: 'browser' | 'headless shell';
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/chromium');

/**
 * Finds a Chromium for the tests, in this order: `CHROME_PATH`, Playwright's, one on the PATH, Debian's (installed if this process may
 * install packages), the headless shell from an npm package.
 */
export async function findChromium(): Promise<Chromium> {
  const own = playwright.executablePath();
  const found =
    process.env.CHROME_PATH || (existsSync(own) ? own : findProgram(NAMES, ['chromium', 'fonts-liberation']));
  return found ? { executablePath: found, env: {}, kind: 'browser' } : unpackedShell();
}

/** Returns the path of the first program found. If there is none, installs the Debian packages and looks again. */
export function findProgram(names: readonly string[], debianPackages: readonly string[]): string | undefined {
  return programOnPath(names) ?? (installFromDebian(debianPackages) ? programOnPath(names) : undefined);
}

/** Returns the path of the first program found. */
export function programOnPath(names: readonly string[]): string | undefined {
  return names
    .flatMap((name) => (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name)))
    .find((candidate) => existsSync(candidate));
}

/** Only installs as root on Debian, which usually means a container. */
function installFromDebian(packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  process.stdout.write(`Installing ${packages.join(' and ')} with apt-get ...\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '--yes', '--no-install-recommends', ...packages];
  return [['update'], install].every((args) => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0);
}

async function unpackedShell(): Promise<Chromium> {
  mkdirSync(CACHE, { recursive: true });
  // The package unpacks into the temporary folder, and unpacks libraries and fonts only for a runtime it knows.
  process.env.TMPDIR = CACHE;
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  try {
    const { default: shell } = await import('@sparticuz/chromium');
    const executablePath = await shell.executablePath();
    // The package's own configuration names font folders of that runtime only, and without fonts the shell crashes.
    const fonts = path.join(CACHE, 'fonts.conf');
    const folders = [path.join(CACHE, 'fonts'), '/usr/share/fonts'].map((folder) => `<dir>${folder}</dir>`).join('');
    const cache = `<cachedir>${path.join(CACHE, 'cache')}</cachedir>`;
    writeFileSync(fonts, `<?xml version="1.0"?>\n<fontconfig>${folders}${cache}</fontconfig>\n`);
    const env = { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '', FONTCONFIG_FILE: fonts };
    return { executablePath, env, kind: 'headless shell' };
  } catch (cause) {
    const advice = 'Install one, for example with `apt-get install chromium`, or set CHROME_PATH.';
    throw new Error(`The tests need Chromium, but none was found. ${advice}`, { cause });
  }
}
