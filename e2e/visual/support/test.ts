import { existsSync } from 'node:fs';
import path from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { FONT_STYLES } from './fonts.ts';

export { expect } from '@playwright/test';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Requests to these hosts are fulfilled from the build folders, without a server. Like `localhost`, they are secure contexts. */
const FOLDERS = {
  'http://site.localhost': path.join(ROOT, 'site/dist/client'),
  'http://storybook.localhost': path.join(ROOT, 'storybook-static'),
} as const;

export const SITE = 'http://site.localhost';
export const STORYBOOK = 'http://storybook.localhost';

export const test = base.extend({
  page: async ({ page }, use) => {
    for (const [origin, folder] of Object.entries(FOLDERS)) {
      await page.route(`${origin}/**`, async (route) => {
        const { pathname } = new URL(route.request().url());
        const file = path.join(folder, pathname === '/' ? 'index.html' : decodeURIComponent(pathname));
        await (existsSync(file) ? route.fulfill({ path: file }) : route.fulfill({ status: 404 }));
      });
    }
    await use(page);
  },
});

/** Applies the screenshot fonts to the page and waits until they are loaded. */
export async function setInOwnFonts(page: Page): Promise<void> {
  await page.addStyleTag({ content: FONT_STYLES });
  await page.evaluate(async () => {
    await Promise.all([...document.fonts].map((face) => face.load()));
    await document.fonts.ready;
  });
}

export const DEVICES = [
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1440, height: 900 }],
] as const;

export const SCHEMES = ['light', 'dark'] as const;
