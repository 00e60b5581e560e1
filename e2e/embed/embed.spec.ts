import { DUPLICATE } from '../support/test.ts';
import { recordEvents, scripts } from './support/embed.ts';
import { ADMIN_EMAIL, expect, test, toast } from './support/test.ts';
import { ALL, expectWholeVisit } from './support/whole-visit.ts';

test(
  'on a page of another site, signup, tracking and analytics work with just a script tag',
  { tag: '@main' },
  async ({ page, put, email, gate, backend: { database } }) =>
    expectWholeVisit({ page, url: put(ALL), email, gate, database }),
);

test.describe('under Trusted Types', () => {
  // Caused by the test's own attempt with a plain string.
  test.use({ expectedComplaints: [/requires 'TrustedScriptURL'/] });

  test('everything works with the policy of the script alone', async ({ page, put, script, email }) => {
    await page.goto(put(ALL, script, "require-trusted-types-for 'script'; trusted-types early-access-kit"));
    // Verifies that the page enforces Trusted Types: a plain string is rejected as a script URL.
    const refused = () => page.evaluate(() => Object.assign(document.createElement('script'), { src: '/x.js' }));
    await expect(refused()).rejects.toThrow('TrustedScriptURL');
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Join the beta' }).click();
    await expect(page.getByText("You're on the list!")).toBeVisible();

    await page.keyboard.press('Control+Alt+KeyA');
    await page.getByRole('dialog', { name: 'Admin Access' }).getByLabel('Admin email').fill(ADMIN_EMAIL);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Analytics Overview' })).toBeVisible();
  });
});

test('a duplicate and a rejection are reported by a toast and an event', { tag: '@main' }, async ({
  page,
  put,
  email,
  backend,
}) => {
  const events = await recordEvents(page);
  await page.goto(put('<early-access-form no-bot-guard></early-access-form>'));
  const field = page.getByLabel('Email address');
  await field.fill('ada');
  await field.press('Enter');
  await expect(page.getByText('Please enter a valid email address')).toBeVisible();
  await field.fill(email);
  await field.press('Enter');
  await expect(page.getByText("You're on the list!")).toBeVisible();

  await page.reload();
  await field.fill(email);
  await field.press('Enter');
  await expect(toast(page, DUPLICATE)).toBeVisible();
  await expect(field).toBeFocused();
  expect(await events()).toEqual([{ type: 'duplicate', detail: null, target: 'early-access-form' }]);
  expect(await backend.database.value('SELECT count(*) FROM email_signups WHERE email = ?', email)).toBe(1);
});

test.describe('with messages that are not valid JSON', () => {
  test.use({ expectedComplaints: [/data-messages/] });

  test('the form is shown in English, and the error names the attribute', async ({ page, put, gate }) => {
    const tag = `<script src="${gate.origin}/embed.js" data-messages="{submit:" defer></script>`;
    const reported = page.waitForEvent('pageerror');
    await page.goto(put('<early-access-form></early-access-form>', tag));
    expect((await reported).message).toBe('early-access-kit: data-messages is not JSON');
    await expect(page.getByRole('button', { name: 'Join the beta' })).toBeVisible();
  });
});

test.describe('in another language', () => {
  test.use({ expectedComplaints: [/unknown keys: sumbit$/] });

  test('the form has its server’s texts, and the keys of the page’s own texts are checked', async ({
    page,
    put,
    gate,
    email,
  }) => {
    const tag = `<script src="${gate.origin}/embed.js" data-messages='{"sumbit":"?","successTitle":"أهلًا"}' defer></script>`;
    const warned = page.waitForEvent('console', (message) => message.type() === 'warning');
    await page.goto(put('<early-access-form lang="ar" dir="rtl"></early-access-form>', tag));
    const field = page.getByLabel('البريد الإلكتروني');
    await field.fill(email);
    expect((await warned).text()).toBe('early-access-kit: data-messages has unknown keys: sumbit');
    await page.getByRole('button', { name: 'الانضمام إلى النسخة التجريبية' }).click();
    await expect(page.getByText('أهلًا')).toBeVisible();
    expect(await page.locator('.eak-signup').first().getAttribute('lang')).toBe('ar');
  });
});

test.describe('pinned by version and hash', () => {
  test.use({
    script: async ({ gate }, use) => {
      const { file, integrity } = scripts().main;
      await use(`<script src="${gate.origin}/${file}" integrity="${integrity}" crossorigin defer></script>`);
    },
    expectedComplaints: [/integrity/],
  });

  test('the script runs, and only loads an overlay script with the expected hash', async ({ page, put, site }) => {
    await page.goto(put('<early-access-form></early-access-form><early-access-admin></early-access-admin>'));
    await expect(page.getByRole('button', { name: 'Join the beta' })).toBeVisible();
    await page.route('**/embed-admin-*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        headers: { 'Access-Control-Allow-Origin': site.origin },
        body: 'document.title = "taken over";',
      }),
    );
    const refused = page.waitForEvent('console', (message) => /integrity/.test(message.text()));
    await page.keyboard.press('Control+Alt+KeyA');
    await refused;
    await expect(page).toHaveTitle('A studio');
    await page.unroute('**/embed-admin-*.js');
    await page.keyboard.press('Control+Alt+KeyA');
    await expect(page.getByRole('dialog', { name: 'Admin Access' })).toBeVisible();
  });
});
