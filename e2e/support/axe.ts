import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** Rules whose results depend on the color scheme; the rest of a page is the same in both. */
export const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

interface AxeScope {
  /** Selectors. Default: the whole page. */
  readonly parts?: readonly string[];
  /** Rules. Default: all. */
  readonly rules?: readonly string[];
}

/** Fails if axe finds violations in the page, or in the given parts of it. */
export async function expectAccessible(page: Page, scope: AxeScope = {}): Promise<void> {
  // Injected once per document, because loading axe takes as long as checking a small page.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  expect(await page.evaluate(violations, scope), await page.title()).toEqual([]);
}

/** Runs in the page. */
async function violations({ parts = [], rules }: AxeScope): Promise<string[]> {
  const loaded: typeof axe = Reflect.get(window, 'axe');
  const found = await loaded.run(parts.length > 0 ? { include: [...parts] } : document, {
    resultTypes: ['violations'],
    ...(rules && { runOnly: [...rules] }),
  });
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
  );
}

/** Fails if axe finds violations with light or dark colors. Leaves the page light. */
export async function expectAccessibleInBothSchemes(page: Page, parts: readonly string[] = []): Promise<void> {
  await expectAccessible(page, { parts });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, { parts, rules: COLOR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
}
