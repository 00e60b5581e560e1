import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseDataUrl, toFontUrl } from '../../app/brand/brand-files.ts';
import { type AppHarness, appHarness } from '../../fixtures/app-harness.ts';
import { BRAND_KIT, PNG_MARK, SVG_MARK } from '../../fixtures/brand-kit.ts';
import { listOperations, readDocument } from '../../fixtures/described-responses.ts';
import { tempStore } from '../../fixtures/temp-store.ts';
import { messageComposer } from '../../mail/compose/message-composer.ts';
import { welcomeMessage } from '../../mail/templates/fixtures/example.ts';
import { brandResponse } from '../routing/schemas/server.ts';
import { createEarlyAccess } from './early-access.ts';

const ORIGIN = 'https://early.example.com';
const FONT = readFileSync(resolve(import.meta.dirname, '../../../../../site/fonts/source-serif-2.woff2'));
const brand = {
  ...BRAND_KIT,
  url: 'https://acme.example/',
  font: { ...BRAND_KIT.font, file: toFontUrl(FONT) },
};

const open = (more: Parameters<typeof appHarness>[0] = {}) =>
  appHarness({ brand, publicUrl: new URL(ORIGIN), site: undefined, hostedForms: { joinPage: true }, ...more });
const get = ({ app }: Pick<AppHarness, 'app'>, path: string) =>
  app.fetch(new Request(ORIGIN + path, { headers: { host: 'early.example.com' } }));
async function readLook(harness: Pick<AppHarness, 'app'>) {
  return brandResponse.parse(await (await get(harness, '/api/brand')).json());
}

it('serves the mark and the font, which the look names by paths that change with them', async () => {
  const harness = open();
  const look = await readLook(harness);
  expect(look).toEqual({
    name: 'Acme',
    colors: {},
    radius: 0,
    mark: expect.stringMatching(/^\/api\/brand\/mark\?v=[\w-]{12}$/),
    font: {
      families: 'Acme Serif, Georgia, serif',
      path: expect.stringMatching(/^\/api\/brand\/font\?v=[\w-]{12}$/),
      weights: '100 900',
    },
  });
  for (const [path = '', type, bytes] of [
    [look.mark, 'image/svg+xml', parseDataUrl(SVG_MARK)],
    [look.font?.path, 'font/woff2', FONT],
  ] as const) {
    const response = await get(harness, path);
    const { status, headers } = response;
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect(headers.get('cache-control')).toBe('public, max-age=86400');
    // Sandboxed frames and emails, which have no origin, show them, too.
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*; sandbox$/);
  }
  const other = await readLook(open({ brand: { ...brand, mark: PNG_MARK } }));
  expect(other.mark).not.toBe(look.mark);
});

it('has no such files without the settings', async () => {
  const harness = open({ brand: { name: 'Acme' } });
  expect(await readLook(harness)).toEqual({ name: 'Acme', colors: {} });
  const paths = listOperations(await readDocument(harness.app.fetch)).map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith('/api/brand'))).toEqual(['/api/brand']);
});

it('shows all of it on pages, whose policy allows these files alone', async () => {
  const page = await get(open(), '/join');
  const html = await page.text();
  expect(html).toMatch(/<p class="brand"><img src="\/api\/brand\/mark\?v=[\w-]+" alt=""><bdi>Acme<\/bdi>/);
  expect(html).toContain(`@font-face { font-family: 'Acme Serif'; src: url("/api/brand/font?v=`);
  expect(html).toContain("1.0625rem/1.6 'Acme Serif','Georgia',serif,system-ui");
  expect(html).toContain('--radius: 0px; --sheet-radius: 0px;');
  expect(html).not.toMatch(/border-radius: \d\dpx|border-radius: 8px/);
  const policy = page.headers.get('content-security-policy');
  expect(policy).toContain("font-src 'self'; img-src 'self' data:;");
});

const emailWith = (more: object) =>
  messageComposer({ from: 'hello@acme.example', brand: { ...brand, ...more }, siteUrl: `${ORIGIN}/` })(
    welcomeMessage({ email: 'ada@example.org', messageKey: 'key' }),
  ).html;

it('shows a PNG, the font and the corners in emails', () => {
  const html = emailWith({ mark: PNG_MARK });
  expect(html).toMatch(/<img src="https:\/\/early\.example\.com\/api\/brand\/mark\?v=[\w-]+" alt="" height="32"/);
  expect(html).toMatch(/@media screen\{@font-face \{ font-family: 'Acme Serif'; src: url\("https:\/\/early\.example/);
  expect(html).toContain("font-family:'Acme Serif','Georgia',serif,-apple-system");
  expect(html.match(/border-radius:\d+px/g)).toEqual(Array(3).fill('border-radius:0px'));
});

it('shows no SVG in emails, and the log says how to have a mark there', () => {
  expect(emailWith({})).not.toMatch(/<img/);
  const log: string[] = [];
  const transport = { deliver: async () => ({ outcome: 'sent' as const }), close: async () => {} };
  const logged = (more: object) => {
    log.length = 0;
    createEarlyAccess({
      store: tempStore().store,
      mail: { from: 'hello@acme.example', transport },
      brand: { ...brand, ...more },
      log: (_, event) => void log.push(event),
    });
    return log.includes('mark-not-in-emails');
  };
  expect(logged({})).toBe(true);
  expect(logged({ mark: PNG_MARK })).toBe(false);
  expect(logged({ logo: 'https://acme.example/logo.png' })).toBe(false);
});
