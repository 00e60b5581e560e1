import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FrameLocator, Page } from '@playwright/test';
import { expectAccessibleInBothSchemes } from '../support/axe.ts';
import { startSelfHosted, whileOpen } from '../support/backend.ts';
import { test as base, expect } from './support/test.ts';

const GUIDE = readFileSync(resolve(import.meta.dirname, '../../docs/builders.md'), 'utf8');
const [WITH_SCRIPT = '', WITH_KEY = ''] = [...GUIDE.matchAll(/^```html\n(.*?)^```$/gms)].map(([, html = '']) => html);
const WITHOUT_SCRIPT = WITH_SCRIPT.replace(/<script>.*<\/script>/s, '');
const KEYS = /^FORM_KEYS=(.+)$/m.exec(GUIDE)?.[1] ?? '';

const test = base.extend<{ paste: (html: string, around?: (html: string) => string) => string }>({
  backend: [
    async ({ site }, use) =>
      whileOpen(
        startSelfHosted({
          FORM_ORIGINS: site.origin,
          FORM_KEYS: KEYS,
          JOIN_PAGE: 'on',
          SITE_DIR: 'none',
          BRAND_STYLES: '',
        }),
        use,
      ),
    { scope: 'worker' },
  ],
  /** Publishes a page with a block of the guide, and returns its URL. */
  paste: async ({ site, backend }, use) => {
    await use((html, around = (block) => block) => {
      const pasted = html.replaceAll('https://early.example.com', backend.server.origin);
      return site.put(
        `<!doctype html><html lang="en"><meta charset="utf-8"><title>A studio</title><h1>A studio</h1>${around(pasted)}`,
        "default-src * 'unsafe-inline'",
      );
    });
  },
});

async function signUp(form: Page | FrameLocator, email: string, button = 'Join the beta'): Promise<void> {
  await form.getByRole('textbox').fill(email);
  await form.getByRole('button', { name: button }).click();
}

const PASSWORD = '<form method="post" action="/password"><label>Password <input type="password"></label></form>';

for (const { name, around, block, scripts } of [
  {
    name: 'a page with a password, as of a shop that is not open',
    block: WITH_SCRIPT,
    around: (html: string) => PASSWORD + html,
    scripts: true,
  },
  { name: 'an HTML block of Squarespace or WordPress that allows no scripts', block: WITHOUT_SCRIPT, scripts: true },
  { name: 'an HTML block, for a visitor without scripts', block: WITHOUT_SCRIPT, scripts: false },
]) {
  test.describe(name, () => {
    test.use({ javaScriptEnabled: scripts });
    test('accepts signups', { tag: '@main' }, async ({ page, paste, backend, email }) => {
      await page.goto(paste(block, around));
      const form = page.frameLocator('iframe');
      const height = async () => (await page.locator('iframe').boundingBox())?.height ?? 0;
      if (block === WITH_SCRIPT) await expect.poll(height).toBeLessThan(300);
      else expect(await height()).toBe(320);
      await signUp(form, email);
      await expect(form.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
      expect(await backend.database.signup(email)).toMatchObject({
        source: 'form',
        page_url: `${backend.server.origin}/form`,
      });
      await form.getByRole('link').click();
      await expect(form.getByRole('button', { name: 'Join the beta' })).toBeVisible();
    });
  });
}

/** An iframe without its own origin: its page is inline or on the builder's domain. */
const SANDBOX = 'sandbox="allow-scripts allow-forms allow-popups"';

test.describe('an embed without an origin', () => {
  test.use({ locale: 'pl-PL' });

  test('as on Wix accepts signups with a key, in Polish', { tag: '@main' }, async ({ page, paste, backend, email }) => {
    const shared = paste(WITH_KEY);
    await page.goto(paste('', () => `<iframe ${SANDBOX} src="${shared}" width="400" height="400"></iframe>`));
    const form = page.frameLocator('iframe').frameLocator('iframe');
    await signUp(form, email, 'Dołącz do bety');
    await expect(form.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(() => backend.database.signup(email)).toMatchObject({ source: 'wix-shop' });
  });

  test('as on Framer accepts signups with a key', async ({ page, paste, backend, email }) => {
    const inline = (html: string) =>
      `<iframe ${SANDBOX} srcdoc="${html.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`;
    await page.goto(paste(WITH_KEY, inline));
    const form = page.frameLocator('iframe').frameLocator('iframe');
    await signUp(form, email, 'Dołącz do bety');
    await expect.poll(() => backend.database.signup(email)).toMatchObject({ source: 'wix-shop' });
  });

  test('without a key shows a link, which opens the form in a new tab', async ({ page, paste, backend, email }) => {
    const shared = paste(WITHOUT_SCRIPT);
    await page.goto(paste('', () => `<iframe ${SANDBOX} src="${shared}" width="400" height="400"></iframe>`));
    const link = page.frameLocator('iframe').frameLocator('iframe').getByRole('link', { name: 'Otwórz formularz' });
    const [tab] = await Promise.all([page.waitForEvent('popup'), link.click()]);
    await expect(tab.getByRole('button', { name: 'Dołącz do bety' })).toBeVisible();
    expect(new URL(tab.url()).pathname).toBe('/join');
    expect(backend.server.log).toContain('frame-refused');
    expect(await backend.database.signup(email)).toBeUndefined();
  });
});

test('a page with Cross-Origin-Embedder-Policy takes signups', async ({ page, site, backend, email }) => {
  const block = WITH_SCRIPT.replaceAll('https://early.example.com', backend.server.origin);
  const url = site.put(block, "default-src * 'unsafe-inline'", { 'Cross-Origin-Embedder-Policy': 'require-corp' });
  await page.goto(url);
  const form = page.frameLocator('iframe');
  await signUp(form, email);
  await expect(form.getByRole('heading', { name: "You're on the list!" })).toBeVisible();
  await form.getByRole('link').click();
  await expect(form.getByRole('button', { name: 'Join the beta' })).toBeVisible();
});

test.describe('a page that is not allowed', () => {
  test('shows a link instead of the form', async ({ page, paste }) => {
    // The same page at another origin.
    await page.goto(paste(WITH_SCRIPT).replace('localhost', '127.0.0.1'));
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('link', { name: 'Open the form' })).toBeVisible();
    await expect(frame.locator('form')).toHaveCount(0);
  });

  test.describe('around an allowed one', () => {
    test.use({ expectedComplaints: [/frame-ancestors/] });
    test('shows nothing', async ({ page, paste }) => {
      const allowed = paste(WITHOUT_SCRIPT);
      const outer = paste('', () => `<iframe src="${allowed}" width="400" height="400"></iframe>`);
      const [refused] = await Promise.all([
        page.waitForEvent('console', (message) => message.text().includes('frame-ancestors')),
        page.goto(outer.replace('localhost', '127.0.0.1')),
      ]);
      expect(refused.type()).toBe('error');
      await expect(page.frameLocator('iframe').frameLocator('iframe').locator('form')).toHaveCount(0);
    });
  });
});

test('the pages are accessible, light and dark', async ({ page, backend }) => {
  await page.goto(`${backend.server.origin}/join`);
  await page.getByText('Open on your phone').click();
  await expectAccessibleInBothSchemes(page);
  await page.goto(`${backend.server.origin}/form`);
  // axe assumes white for a page without a background, but browsers use the color scheme's.
  await page.evaluate(() => {
    document.documentElement.style.background = 'Canvas';
  });
  await expectAccessibleInBothSchemes(page);
});

test.describe('a link in a bio', () => {
  test.use({ javaScriptEnabled: false, locale: 'de-AT' });

  test('leads to a page without scripts, and records where people come from', async ({ page, backend, email }) => {
    await page.goto(`${backend.server.origin}/?utm_source=instagram`);
    await expect(page).toHaveTitle('Sei von Anfang an dabei · PrintMargin');
    await signUp(page, email, 'Zur Beta anmelden');
    await expect(page.getByRole('heading', { name: 'Du stehst auf der Liste!' })).toBeVisible();
    expect(await backend.database.signup(email)).toMatchObject({ source: 'join', utm_source: 'instagram' });
  });

  test('is printed as a QR code', async ({ page, backend }) => {
    await page.goto(`${backend.server.origin}/join`);
    await page.getByText('Auf dem Smartphone öffnen').click();
    const code = page.getByRole('img', { name: 'http://studio.example/join' });
    await expect(code).toBeVisible();
    await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });
});
