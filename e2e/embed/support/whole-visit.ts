import type { Page } from '@playwright/test';
import type { Database } from '../../support/database.ts';
import type { Gatekeeper } from '../../support/gatekeeper.ts';
import { SUCCEEDED } from '../../support/test.ts';
import { endedVisit, startedVisit } from '../../support/visit.ts';
import { recordEvents } from './embed.ts';
import { ADMIN_EMAIL, expect, toast } from './test.ts';

/** A page's body with all elements. */
export const ALL = `<early-access-form source="partner"></early-access-form>
  <early-access-tracker></early-access-tracker><early-access-admin></early-access-admin>`;

interface WholeVisit {
  readonly page: Page;
  readonly url: string;
  readonly email: string;
  readonly gate: Gatekeeper;
  readonly database: Database;
}

/** A visitor signs up on a page with all elements and leaves it; an admin reads the analytics summary there. */
export async function expectWholeVisit({ page, url, email, gate, database }: WholeVisit): Promise<void> {
  const events = await recordEvents(page);
  await page.goto(url);
  const id = await startedVisit(page, database);

  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Join the beta' }).click();
  await expect(page.getByText("You're on the list!")).toBeVisible();
  await expect(toast(page, SUCCEEDED)).toBeVisible();
  expect(await database.signup(email)).toMatchObject({ email, session_id: id, source: 'partner' });
  // Events do not contain the visitor's address.
  expect(await events()).toEqual([{ type: 'success', detail: null, target: 'early-access-form' }]);

  expect(gate.seen.filter(({ path }) => path.includes('admin'))).toEqual([]);
  await page.keyboard.press('Control+Alt+KeyA');
  const access = page.getByRole('dialog', { name: 'Admin Access' });
  await expect(access.getByLabel('Admin email')).toBeFocused();
  await access.getByLabel('Admin email').fill(ADMIN_EMAIL);
  await access.getByRole('button', { name: 'Access Analytics' }).click();
  const overview = page.getByRole('dialog', { name: 'Analytics Overview' });
  const signups = String(await database.value('SELECT count(*) FROM email_signups'));
  await expect(overview.locator('dl > div', { hasText: 'Email Signups' }).locator('dd').first()).toHaveText(signups);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 'Analytics Overview' })).toContainText(`Email Signups ${signups}`);

  await page.close({ runBeforeUnload: true });
  expect(await endedVisit(id, database)).toMatchObject({ page_count: 1, is_bounce: 1, click_count: 2 });
  // No call needs a preflight, for which a closing page would have no time.
  expect(gate.seen.filter(({ method }) => method === 'OPTIONS')).toEqual([]);
}
