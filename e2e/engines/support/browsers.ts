import { globSync } from 'node:fs';
import { type findProgram, programOnPath } from '@early-access-kit/testkit/programs';
import type { Engine } from './engine.ts';

/** A browser of this machine. */
interface Browser {
  readonly name: string;
  /** The packages to install if it is missing, by Debian's names. */
  readonly packages: readonly string[];
  /** Returns undefined if a program is missing. */
  find(look: typeof findProgram): (() => Promise<Engine>) | undefined;
}

/** WebKitGTK's small browser is in the folder of the library, which is elsewhere on each system. */
const MINI_BROWSER = '/usr/{lib,libexec,lib/*}/webkit{2gtk-4.1,gtk-6.0}/MiniBrowser';

export const BROWSERS: readonly Browser[] = [
  {
    name: 'Firefox',
    packages: ['firefox-esr'],
    find(look) {
      const program = process.env.FIREFOX_PATH || look(['firefox-esr', 'firefox'], ['firefox-esr']);
      return program ? () => startPuppeteer('firefox', program) : undefined;
    },
  },
  {
    name: 'WebKit',
    packages: ['webkit2gtk-driver', 'xvfb'],
    find(look) {
      const driver = look(['WebKitWebDriver'], ['webkit2gtk-driver']);
      const screen = look(['Xvfb'], ['xvfb']);
      const [browser] = globSync(MINI_BROWSER);
      if (!(driver && screen && browser)) return undefined;
      return async () => (await import('./webkit-engine.ts')).startWebKit({ driver, screen, browser });
    },
  },
  {
    // The other tests have it too, with Playwright. Here it is measured in the same way as the others.
    name: 'Chromium',
    packages: ['chromium'],
    find(look) {
      const program = process.env.CHROME_PATH || look(['chromium', 'google-chrome'], ['chromium']);
      return program ? () => startPuppeteer('chrome', program) : undefined;
    },
  },
];

/** The drivers are only loaded to start a browser, since `npm test` asks for the missing ones too. */
async function startPuppeteer(browser: 'chrome' | 'firefox', program: string): Promise<Engine> {
  return (await import('./puppeteer-engine.ts')).startWithPuppeteer(browser, program);
}

/** Whether no other test has this browser, so that `npm test` runs a few flows in it. */
export function isOnlyHere({ name }: Browser): boolean {
  return name !== 'Chromium';
}

/** The names of the browsers that `npm test` would test if they were installed. */
export function missingBrowsers(): string[] {
  return BROWSERS.filter((browser) => isOnlyHere(browser) && !browser.find(programOnPath)).map(({ name }) => name);
}
