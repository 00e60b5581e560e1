import { globSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { hearComplaints } from '../support/complaints.ts';
import { testOfFolder } from '../support/folder.ts';

export { expect } from '@playwright/test';

const FOLDER = path.resolve(import.meta.dirname, '../../docs-site/dist');
/** Anything of another host is a violation, which the browser reports in the console. VitePress has scripts and styles of its own in the page. */
const POLICY = "default-src 'self' 'unsafe-inline' data:";

/** The built pages, without those of Storybook, which may lie beside them. */
export const PAGES = globSync('**/*.html', { cwd: FOLDER, exclude: ['storybook', '404.html'] }).sort();

/** The documentation site on a static host. */
export const testOfSite = testOfFolder(FOLDER, POLICY);

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
