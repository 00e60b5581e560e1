import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Rules whose results depend on the colour scheme; the rest of a page is the same in both. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

interface AxeScope {
  /** Selectors; without any, the whole page. */
  readonly parts?: readonly string[];
  /** Rules; without any, all. */
  readonly rules?: string[];
}

/** Fails if axe finds violations in the page, or in the given parts of it. */
export async function expectAccessible(page: Page, { parts = [], rules }: AxeScope = {}): Promise<void> {
  // The default mode opens another tab per run to support cross-origin frames. The pages have none.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  for (const part of parts) axe.include(part);
  if (rules) axe.withRules(rules);
  const { violations } = await axe.analyze();
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' ')}`,
  );
  expect(found, await page.title()).toEqual([]);
}

/** Fails if axe finds violations with light or dark colours. Leaves the page light. */
export async function expectAccessibleInBothSchemes(page: Page, parts: readonly string[] = []): Promise<void> {
  await expectAccessible(page, { parts });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page, { parts, rules: COLOUR_RULES });
  await page.emulateMedia({ colorScheme: 'light' });
}
