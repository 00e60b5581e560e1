import path from 'node:path';
import type { Page } from '@playwright/test';
import { testOfFolder } from '../../support/folder.ts';
import { FONT_STYLES } from './fonts.ts';

export { expect } from '@playwright/test';

export const testOfSite = testOfFolder(path.resolve(import.meta.dirname, '../../../site/dist/client'));

/** Applies the screenshot fonts to the page and waits until they are loaded. */
export async function setInOwnFonts(page: Page): Promise<void> {
  await page.addStyleTag({ content: FONT_STYLES });
  await page.evaluate(async () => {
    // The page's fallbacks are system fonts, which may be missing.
    await Promise.allSettled([...document.fonts].map((face) => face.load()));
    await document.fonts.ready;
  });
}

export const DEVICES = [
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1440, height: 900 }],
] as const;

export const SCHEMES = ['light', 'dark'] as const;
