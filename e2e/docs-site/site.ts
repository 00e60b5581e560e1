import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { hearComplaints } from '../support/complaints.ts';
import { testOfFolder } from '../support/folder.ts';

export { expect } from '@playwright/test';

const FOLDER = path.resolve(import.meta.dirname, '../../docs-site/dist');
/**
 * Loading from another host is a violation, which the browser reports in the console. VitePress has inline scripts and
 * styles.
 */
const POLICY = "default-src 'self' 'unsafe-inline' data:";

/** The built pages, without Storybook's, which may lie beside them. */
export const PAGES = globSync('**/*.html', { cwd: FOLDER, exclude: ['storybook', '404.html'] }).sort();

/** The documentation site on a static host. */
export const testOfSite = testOfFolder(FOLDER, POLICY);

/**
 * Goes to a page and waits until its scripts are at work, which may be after its `load` event. Until then it ignores
 * keys, and the switch of the color scheme has no name: VitePress names it with a script.
 */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole('switch').first()).toHaveAccessibleName(/theme/);
}

/** Fails a test if its pages complain or want something from another host. */
export const test = testOfSite.extend<{ complaints: string[] }>({
  complaints: [
    async ({ context }, use) => {
      const heard = hearComplaints(context);
      await use(heard);
      expect(heard).toEqual([]);
    },
    { auto: true },
  ],
});
