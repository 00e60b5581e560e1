import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { hearComplaints } from '../support/complaints.ts';
import { testOfFolder } from '../support/folder.ts';

export { expect } from '@playwright/test';

export const FOLDER = path.resolve(import.meta.dirname, '../../docs-site/dist');
/**
 * Loading from another host violates this policy, which the browser reports. VitePress has inline scripts and styles.
 */
const POLICY = "default-src 'self' 'unsafe-inline' data:";

/** The built pages without Storybook's, which may be in a subfolder. */
export const PAGES = globSync('**/*.html', { cwd: FOLDER, exclude: ['storybook', '404.html'] }).sort();

/** The documentation site on a static host. */
export const testOfSite = testOfFolder(FOLDER, POLICY);

/**
 * Goes to a page and waits until its scripts are active, which may be after its `load` event. Before that it ignores
 * keys, and the color scheme switch has no name, because VitePress adds it by script.
 */
export async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await expect(page.getByRole('switch').first()).toHaveAccessibleName(/theme/);
}

/** Fails a test if its pages report errors or load from another host. */
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
