import { ADMIN_EMAIL } from '../support/backend.ts';
import { PRELOAD } from '../support/gatekeeper.ts';
import { SUCCEEDED, toast } from '../support/test.ts';
import { endedVisit } from '../support/visit.ts';
import { expect, test } from './support.ts';

test('the elements sign up, track and show the figures on a page of another origin', async ({
  page,
  gate,
  site,
  email,
  backend: { database },
}) => {
  await page.goto(
    site.put(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A studio</title>
      <script src="${gate.origin}${PRELOAD}"></script><script src="${gate.origin}/embed.js" defer></script></head>
      <body><main><h1>A studio</h1><early-access-form source="partner"></early-access-form></main>
      <early-access-tracker></early-access-tracker><early-access-admin></early-access-admin></body></html>`,
      `default-src 'self' ${gate.origin}`,
    ),
  );
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Join the beta' }).click();
  await expect(page.locator('.eak-signup')).toContainText("You're on the list!");
  await expect(toast(page, SUCCEEDED)).toBeVisible();
  const { session_id, source } = (await database.signup(email)) ?? {};
  expect([session_id, source]).toEqual([expect.any(String), 'partner']);

  await page.keyboard.press('Control+Alt+KeyA');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Admin email').fill(ADMIN_EMAIL);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Analytics Overview');
  await page.close({ runBeforeUnload: true });
  expect(await endedVisit(String(session_id), database)).toMatchObject({ page_count: 1, is_bounce: 1 });
  // No call needs a preflight, for which a closing page would have no time.
  expect(gate.seen.filter(({ method }) => method === 'OPTIONS')).toEqual([]);
});
