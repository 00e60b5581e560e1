import { ADMIN_EMAIL } from '../support/backend.ts';
import { receiveToken } from '../support/links.ts';
import { click, expect, expectGone, fill, openLandingPage, see, test } from './support/test.ts';

test('the overlay opens by its shortcut and shows the numbers', async ({ tab, gate, backend }) => {
  await openLandingPage(tab, gate);
  await tab.pressControlAltA();
  await see(tab, 'dialog', 'Admin Access');
  await fill(tab, 'dialog input[type=email]', 'visitor@example.org');
  await tab.press('Enter');
  await see(tab, 'dialog [role=alert]', 'Invalid admin email');
  await fill(tab, 'dialog input[type=email]', ADMIN_EMAIL);
  await click(tab, 'dialog button', 'Access Analytics');
  const signups = String(await backend.database.value('SELECT count(*) FROM email_signups'));
  await see(tab, 'dialog dl > div', `Email Signups${signups}`);
  await tab.press('Escape');
  await expectGone(tab, 'dialog');
  await see(tab, '.eak-counter', 'Email Signups');
});

test('the dashboard signs in by a link, finds a person and forgets them', async ({ tab, gate, email, backend }) => {
  await openLandingPage(tab, gate);
  await fill(tab, '.hero input[type=email]', email);
  await tab.press('Enter');
  await see(tab, '.hero .eak-signup', "You're on the list!");

  await tab.open(`${gate.origin}/admin`);
  await fill(tab, 'input[type=email]', ADMIN_EMAIL);
  await click(tab, 'button', 'Send me a sign-in link');
  const token = await receiveToken(backend.mailbox, ADMIN_EMAIL, 'signIn', 0);
  await tab.open('about:blank');
  await tab.open(`${gate.origin}/admin#token=${token}`);
  await see(tab, 'h1', 'Overview');
  expect(await tab.evaluate(() => location.hash)).toBe('');

  await click(tab, 'nav a', 'People');
  await fill(tab, 'input[type=search]', email.slice(0, 20));
  await click(tab, 'table button', email);
  await see(tab, '[role=dialog], dialog', 'landing_page');
  await click(tab, 'button', 'Forget this person…');
  await fill(tab, '[role=dialog] input, dialog input', email);
  await click(tab, 'button', 'Forget for good');
  await see(tab, 'main', 'Nobody matches');
  expect(await backend.database.signup(email)).toBeUndefined();

  await click(tab, 'button', 'Sign out');
  await see(tab, 'h1', 'Sign in to the dashboard');
});
