import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BUILT_SERVER, startServer } from '@early-access-kit/testkit/built-server';
import { SITE_BRAND } from '@early-access-kit/testkit/site-settings';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { type APIResponse, expect, test } from '@playwright/test';

const BRAND = {
  BRAND_NAME: 'Fernwood Ceramics',
  BRAND_COLOR: '#0a7d4f',
  BRAND_BACKGROUND: '#eef4ee',
};
const EMAIL = 'ada@example.org';
/** Matches the first brand's name, wording, colors and URLs. */
const FIRST_BRAND = new RegExp(
  [
    'print.?margin|print-on-demand|prints and canvas|profit and pricing|platform fees|4-6 hours',
    SITE_BRAND.BRAND_COLOR,
    SITE_BRAND.BRAND_BACKGROUND,
    '#bf3016|#fbf8f0',
  ].join('|'),
  'i',
);
const PAGE = `<!doctype html><html lang="en"><title>Fernwood</title><h1>Fernwood</h1>
<form method="post" action="/api/signup-form"><label>Email <input name="email"></label><button>Join</button></form></html>`;

let folder: string;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'second-brand-'));
  await mkdir(join(folder, 'site'));
  await writeFile(join(folder, 'site', 'index.html'), PAGE);
});
test.afterEach(() => rm(folder, { recursive: true }));

const settings = (more: Readonly<Record<string, string>> = {}) => ({
  DATA_DIR: join(folder, 'data'),
  SITE_DIR: join(folder, 'site'),
  ...BRAND,
  ...more,
});

/** Returns a response as text: status, headers and body. */
async function whole(response: APIResponse): Promise<string> {
  const headers = response.headersArray().map(({ name, value }) => `${name}: ${value}`);
  return [response.status(), ...headers, await response.text()].join('\n');
}

/** Returns the output of the command, whether it fails or not. */
async function command(...args: readonly string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [BUILT_SERVER, ...args], { env: settings() });
  const { stdout, stderr } = await run.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

test.describe('a second brand', { tag: '@self-hosted' }, () => {
  test.use({ javaScriptEnabled: false });

  test('shows no trace of the first brand in pages, emails, headers and commands', async ({ page, request }) => {
    const mailServer = await startMailServer();
    const server = await startServer(
      settings({
        SMTP_URL: mailServer.url,
        MAIL_FROM: 'Fernwood Ceramics <hello@fernwood.example>',
        PUBLIC_URL: 'http://www.fernwood.example',
      }),
    );
    const seen = new Map<string, string>();

    for (const heading of ["You're on the list!", 'This email is already registered!']) {
      await page.goto(server.origin);
      await page.getByLabel('Email').fill(EMAIL);
      const [response] = await Promise.all([
        page.waitForResponse('**/api/signup-form'),
        page.getByRole('button').click(),
      ]);
      await expect(page.getByRole('heading', { name: heading })).toBeVisible();
      await expect(page).toHaveTitle(`${heading} · Fernwood Ceramics`);
      await expect(page.getByText('Fernwood Ceramics', { exact: true })).toBeVisible();
      await expect(page.getByRole('link')).toHaveAttribute('href', `${server.origin}/`);
      seen.set(heading, JSON.stringify(await response.allHeaders()) + (await page.content()));
    }

    const mail = await mailServer.waitForMail(EMAIL);
    expect(mail.from).toEqual({ name: 'Fernwood Ceramics', address: 'hello@fernwood.example' });
    expect(mail.subject).toBe('You’re on the list for Fernwood Ceramics');
    expect(mail.messageId).toMatch(/^<[\da-f-]{36}@fernwood\.example>$/);
    for (const part of [mail.text, mail.html]) expect(part).toContain('www.fernwood.example');
    expect(mail.html).toContain(`background:${BRAND.BRAND_COLOR}`);
    seen.set(
      'email, decoded',
      `${mail.text}${mail.html}${mail.headers.map(({ key, value }) => key + value).join('\n')}`,
    );
    seen.set(
      'email, as sent',
      mailServer
        .mailsTo(EMAIL)
        .map(({ source }) => source)
        .join(),
    );

    const form = { form: { email: 'nobody' } };
    for (const language of ['en', 'es', 'ar']) {
      const headers = { 'accept-language': language };
      const url = `${server.origin}/api/signup-form`;
      seen.set(`invalid, ${language}`, await whole(await request.post(url, { ...form, headers })));
      const foreign = { ...headers, origin: 'https://evil.example' };
      seen.set(`foreign origin, ${language}`, await whole(await request.post(url, { ...form, headers: foreign })));
    }
    for (const path of ['/', '/nowhere', '/healthz', '/embed.js', '/api/nowhere', '/api/signups']) {
      seen.set(path, await whole(await request.get(server.origin + path)));
    }
    await server.stop();
    await mailServer.close();

    seen.set('log', server.log);
    for (const args of [['--help'], ['export'], ['mail'], ['nonsense'], ['forget', EMAIL]]) {
      seen.set(args.join(' '), await command(...args));
    }
    expect(seen.size).toBe(22);
    for (const [name, text] of seen) {
      expect(text.length, name).toBeGreaterThan(10);
      expect(FIRST_BRAND.exec(text)?.[0], name).toBeUndefined();
    }
  });
});

test('a brand has its mark, its font and its corners on pages and in the dashboard, under their policies', {
  tag: '@self-hosted',
}, async ({ page }) => {
  const mark = join(folder, 'mark.svg');
  const drawing = '<rect width="8" height="4" fill="#0a7d4f"/>';
  await writeFile(mark, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 4">${drawing}</svg>`);
  const font = join(import.meta.dirname, '../site/fonts/source-serif-2.woff2');
  const kit = { BRAND_MARK: mark, BRAND_FONT: `Fernwood Serif, Georgia, serif=${font}`, BRAND_RADIUS: '3' };
  const server = await startServer(settings({ ...kit, JOIN_PAGE: 'on' }));
  const refused: string[] = [];
  page.on('console', (message) => /policy/i.test(message.text()) && refused.push(message.text()));
  await page.goto(`${server.origin}/join`);
  const look = await page.evaluate(async () => {
    await document.fonts.ready;
    const style = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.body);
    const image = document.querySelector<HTMLImageElement>('.brand img');
    await image?.decode();
    return {
      mark: [image?.naturalWidth !== 0, image?.clientWidth, image?.clientHeight],
      fonts: [...document.fonts].map(({ family, status }) => [family.replaceAll('"', ''), status]),
      corners: [style('main').borderRadius, style('#email').borderRadius, style('form button').borderRadius],
    };
  });
  expect(look).toEqual({
    mark: [true, 64, 32],
    fonts: [['Fernwood Serif', 'loaded']],
    corners: ['4.5px', '3px', '3px'],
  });
  expect(refused).toEqual([]);
  await page.goto(`${server.origin}/admin`);
  const name = page.getByText('Fernwood Ceramics', { exact: true });
  await expect(name).toHaveCSS('font-family', /^"?Fernwood Serif"?, Georgia, serif/);
  await expect(page.locator('html')).toHaveCSS('--ead-control-radius', '3px');
  const monogram = page.getByText('F', { exact: true });
  await expect(monogram).toHaveCSS('background-image', /\/api\/brand\/mark\?v=/);
  expect(refused).toEqual([]);
  await page.goto(`${server.origin}/api/brand/mark`);
  expect(await page.evaluate(() => document.documentElement.tagName)).toBe('svg');
  await server.stop();
});
