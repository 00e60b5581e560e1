import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium as playwright } from 'playwright';
import { firstExisting, installFromDebian, pathsOf } from './programs.ts';
import { ROOT } from './run.ts';

export interface Chromium {
  readonly executablePath: string;
  /** Variables that it has to be started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Headless shells have neither a back/forward cache nor prerendering, so that two tests need the whole browser. */
  readonly kind: 'browser' | 'headless shell';
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * The Chromium that the tests run in: `CHROME_PATH`, Playwright's own, one on the PATH, Debian's (installed here when this
 * process may do so), or the headless shell inside an npm package.
 */
export async function findChromium(): Promise<Chromium> {
  const found = process.env.CHROME_PATH || firstExisting([playwright.executablePath()]) || onPath() || installed();
  if (found) return { executablePath: found, env: {}, kind: 'browser' };
  return unpackedShell();
}

function onPath(): string | undefined {
  return firstExisting(NAMES.flatMap(pathsOf));
}

function installed(): string | undefined {
  return installFromDebian('chromium', 'fonts-liberation') ? onPath() : undefined;
}

async function unpackedShell(): Promise<Chromium> {
  const folder = path.join(ROOT, 'node_modules', '.cache', 'chromium');
  mkdirSync(folder, { recursive: true });
  // The package unpacks into the temporary folder, and its libraries and fonts only for a runtime that it knows.
  process.env.TMPDIR = folder;
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
  try {
    const { default: shell } = await import('@sparticuz/chromium');
    const executablePath = await shell.executablePath();
    // Its own configuration looks for the fonts in folders of the runtime alone, and without any font the shell crashes.
    const fonts = path.join(folder, 'fonts.conf');
    writeFileSync(
      fonts,
      fontConfiguration([path.join(folder, 'fonts'), '/usr/share/fonts'], path.join(folder, 'cache')),
    );
    const env = { LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '', FONTCONFIG_FILE: fonts };
    return { executablePath, env, kind: 'headless shell' };
  } catch (cause) {
    const advice = 'Install one, such as `apt-get install chromium`, or set CHROME_PATH to the one that you have.';
    throw new Error(`No Chromium was found for the tests. ${advice}`, { cause });
  }
}

function fontConfiguration(folders: readonly string[], cache: string): string {
  const elements = [...folders.map((folder) => `<dir>${folder}</dir>`), `<cachedir>${cache}</cachedir>`];
  return `<?xml version="1.0"?>\n<fontconfig>${elements.join('')}</fontconfig>\n`;
}
