import { DUPLICATE, FAILED, SUCCEEDED } from '../support/test.ts';
import { click, expect, expectGone, fill, openLandingPage, see, test } from './support/test.ts';

const FIELD = '.hero input[type=email]';
const BUTTON = '.hero .eak-form button';
const TOAST = '[role=status]';

test('sign up, by keyboard', { tag: '@short' }, async ({ tab, gate, email, backend }) => {
  await openLandingPage(tab, gate);
  await fill(tab, FIELD, `  ${email.toUpperCase()} `);
  await tab.press('Enter');
  await see(tab, '.hero .eak-signup', "You're on the list!");
  await see(tab, TOAST, SUCCEEDED);
  await expectGone(tab, FIELD);
  expect(await backend.database.signup(email)).toMatchObject({ email, source: 'landing_page' });
  expect(await backend.mailbox.waitForMail(email)).toMatchObject({ to: [{ name: '', address: email }] });
});

test('an invalid address is explained until the next key', { tag: '@short' }, async ({ tab, gate, backend }) => {
  await openLandingPage(tab, gate);
  const before = await backend.database.value('SELECT count(*) FROM email_signups');
  const state = () =>
    tab.evaluate((selector) => {
      const field = document.querySelector(selector);
      const description = document.getElementById(field?.getAttribute('aria-describedby') ?? '');
      return [field === document.activeElement, field?.getAttribute('aria-invalid'), description?.textContent];
    }, FIELD);
  for (const invalid of ['ada', 'ada@example', 'two@at@signs.example']) {
    await fill(tab, FIELD, invalid);
    await click(tab, BUTTON);
    await see(tab, '.hero .eak-form *', 'Please enter a valid email address');
    await expect.poll(state).toEqual([true, 'true', 'Please enter a valid email address']);
    await tab.type('x');
    await expect.poll(state).toEqual([true, 'false', '']);
  }
  expect(await backend.database.value('SELECT count(*) FROM email_signups')).toBe(before);
});

test('a second signup of an address is reported', async ({ tab, gate, email, backend }) => {
  for (const [spelling, answer] of [
    [email, SUCCEEDED],
    [email.toUpperCase(), DUPLICATE],
  ] as const) {
    await openLandingPage(tab, gate);
    await fill(tab, FIELD, spelling);
    await click(tab, BUTTON);
    await see(tab, TOAST, answer);
  }
  expect(await tab.evaluate((selector) => document.activeElement?.matches(selector), FIELD)).toBe(true);
  expect(await backend.database.value('SELECT count(*) FROM email_signups WHERE email = ?', email)).toBe(1);
});

test('a signup fails while the server is down, and works once it is back', async ({ tab, gate, email, backend }) => {
  await openLandingPage(tab, gate);
  await backend.server.stop();
  await fill(tab, FIELD, email);
  await click(tab, BUTTON);
  await see(tab, TOAST, FAILED);
  await see(tab, BUTTON, 'Join the beta');
  await backend.server.start();
  await click(tab, BUTTON);
  await see(tab, '.hero .eak-signup', "You're on the list!");
  expect(await backend.database.signup(email)).toMatchObject({ email });
});
