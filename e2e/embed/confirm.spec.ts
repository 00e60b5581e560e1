import { LINKS, receiveToken } from '../support/links.ts';
import { expect, test } from './support/test.ts';

test.use({ settings: { CONFIRM: 'on' } });

test('an element on another origin tells the visitor to check their inbox, and their browser confirms without a click', {
  tag: '@main',
}, async ({ page, put, email, gate, backend }) => {
  await page.goto(put('<early-access-form></early-access-form>'));
  await page.getByLabel('Email address').fill(email);
  const before = gate.seen.length;
  await page.getByRole('button', { name: 'Join the beta' }).click();
  await expect(page.getByText('Check your inbox')).toBeVisible();
  // Neither scripts nor preflights are requested.
  expect(gate.seen.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/signups',
    'POST /api/inbox',
    'POST /api/welcome-email',
  ]);
  const token = await receiveToken(backend.mailbox, email, 'confirm');
  await page.goto(new URL(LINKS.confirm + token, gate.origin).href);
  await expect(page.getByRole('heading', { name: "You're on the list!" })).toBeFocused();
});
