import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSelfHosted } from '../support/backend.ts';
import { recordEvents } from './support/embed.ts';
import { test as base, expect } from './support/test.ts';

const TERMS = 'I agree to "the terms" & conditions';
const DECLARED = {
  shop: { type: 'text', label: 'Shop', required: true, maxLength: 20 },
  portfolio: { type: 'url', label: 'Portfolio' },
  orders: { type: 'select', label: 'Orders', options: ['few', 'many'] },
  news: { type: 'checkbox', label: 'News' },
  terms: { type: 'checkbox', label: TERMS, required: true, consent: true },
};

const test = base.extend({
  backend: [
    async ({ site }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'early-access-fields-'));
      const file = join(folder, 'fields.json');
      writeFileSync(file, JSON.stringify(DECLARED));
      const backend = await startSelfHosted({ ALLOWED_ORIGINS: site.origin, SIGNUP_FIELDS: file });
      await use(backend);
      await backend.close();
      rmSync(folder, { recursive: true });
    },
    { scope: 'worker' },
  ],
});

/** The page's own inputs in a form that works before the script has run, and without it. */
const renderForm = (server: string) => `
  <early-access-form no-bot-guard>
    <form id="fallback" method="post" action="${server}/api/signup-form">
      <label>Email <input name="email" type="email" required></label>
      <input type="hidden" name="fields" value="1"><button>Sign up</button>
    </form>
    <div slot="fields">
      <label>Shop <input name="shop" form="fallback" required maxlength="20"></label>
      <label>Portfolio <input name="portfolio" form="fallback"></label>
      <label>Orders <select name="orders" form="fallback"><option value="">-</option><option>few</option></select></label>
      <label>News <input type="checkbox" name="news" form="fallback"></label>
      <label>Terms <input type="checkbox" name="terms" form="fallback" required value="${TERMS.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></label>
    </div>
  </early-access-form>`;

test("the element sends the page's own inputs, and the browser explains missing ones", { tag: '@main' }, async ({
  page,
  put,
  gate,
  email,
  backend,
}) => {
  const events = await recordEvents(page);
  await page.goto(put(renderForm(gate.origin)));
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Join the beta' }).click();
  await expect(page.getByLabel('Shop')).toBeFocused();
  expect(await events()).toEqual([{ type: 'error', detail: { reason: 'invalid' }, target: 'early-access-form' }]);

  await page.getByLabel('Shop').fill('<b>O\'Neil & "Söhne"');
  await page.getByLabel('Portfolio').fill('shop.example/work?a=1&b=2');
  await page.getByLabel('Orders').selectOption('few');
  await page.getByLabel('News').check();
  await page.getByLabel('Terms').check();
  await page.getByRole('button', { name: 'Join the beta' }).click();
  await expect(page.getByText("You're on the list!")).toBeVisible();
  const { fields } = (await backend.database.signup(email)) ?? {};
  expect(JSON.parse(String(fields))).toEqual({
    shop: '<b>O\'Neil & "Söhne"',
    portfolio: 'https://shop.example/work?a=1&b=2',
    orders: 'few',
    news: true,
    terms: TERMS,
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the same inputs are sent by the browser', async ({ page, put, gate, email, backend }) => {
    await page.goto(put(renderForm(gate.origin)));
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Shop').fill('Analytical Prints');
    await page.getByLabel('Terms').check();
    await page.getByRole('button', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
    const { fields } = (await backend.database.signup(email)) ?? {};
    expect(JSON.parse(String(fields))).toEqual({ shop: 'Analytical Prints', terms: TERMS });
  });
});
