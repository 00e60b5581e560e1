import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

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
