import { createHash } from 'node:crypto';
import { EXAMPLE_DECLARATIONS } from '@early-access-kit/testkit/fields';
import type { FieldDeclarations } from 'early-access-kit/core';
import { describe, expect, it, vi } from 'vitest';
import type { HostedForms } from '../../app/access/form-frames.ts';
import { type AppHarness, appHarness } from '../../fixtures/app-harness.ts';
import { readSignups } from '../../fixtures/read-back.ts';
import { UNBUILT_SITE } from '../pages/site/site.ts';

const KEY = 'k3y-of-the-wix-shop-0000';
const SHOP = 'https://shop.example';
const BRAND = { name: 'Acme', picture: 'https://cdn.example/hero.jpg' };
const FIELDS: FieldDeclarations = {
  company: { type: 'text', label: 'Your <company>', required: true, maxLength: 80, autoComplete: 'organization' },
  shop: { type: 'url', label: 'Your shop' },
  size: { type: 'select', label: 'Team', options: ['1', { value: '2-10', label: '2 to 10' }] },
  terms: {
    type: 'checkbox',
    label: 'I agree',
    links: { agree: 'https://acme.example/terms?a=1&b=2' },
    consent: true,
    required: true,
  },
};
const PUBLIC_URL = new URL('https://early.example.com');

function hosted(hostedForms: HostedForms, more: Parameters<typeof appHarness>[0] = {}): AppHarness {
  return appHarness({ hostedForms, publicUrl: PUBLIC_URL, site: undefined, brand: BRAND, ...more });
}

async function get({ app }: AppHarness, path: string, headers: Record<string, string> = {}) {
  const response = await app.fetch(
    new Request(PUBLIC_URL.origin + path, { headers: { host: PUBLIC_URL.host, ...headers } }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Opens a page in an iframe of the page at `referer`. */
const frame = (harness: AppHarness, path: string, referer?: string) =>
  get(harness, path, { 'sec-fetch-dest': 'iframe', ...(referer !== undefined && { referer }) });

/** Sends the form of a page as a browser does. */
async function submit(harness: AppHarness, page: string, entered: Record<string, string>, headers = {}) {
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page) ?? [];
  const hidden = [...page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const body = new URLSearchParams({ ...Object.fromEntries(hidden), email: 'ada@example.org', ...entered });
  const response = await harness.post(action.replaceAll('&#38;', '&'), body, {
    headers: { host: PUBLIC_URL.host, origin: PUBLIC_URL.origin, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const readPolicy = ({ headers }: { readonly headers: Headers }) => headers.get('content-security-policy') ?? '';

it.each(['/join', '/join/qr.svg', '/form', '/'])('without settings %s is not found', async (path) => {
  const harness = appHarness({ site: undefined });
  expect((await get(harness, path)).status).toBe(404);
  expect(harness.app.handles(path)).toBe(false);
});

describe('/join', () => {
  it('is a page in the brand with a link preview, which search engines may list', async () => {
    const { status, text, headers } = await get(hosted({ joinPage: true }), '/join?utm_source=card');
    expect(status).toBe(200);
    expect(text).toContain('<title>Get early access · Acme</title>');
    expect(text).toContain('<meta property="og:image" content="https://cdn.example/hero.jpg">');
    expect(text).toContain('<link rel="canonical" href="https://early.example.com/join">');
    expect(text).not.toContain('noindex');
    expect(text).not.toContain('<script');
    expect(headers.has('cross-origin-resource-policy')).toBe(false);
    expect(readPolicy({ headers })).toMatch(
      /; img-src 'self' data: https:\/\/cdn\.example; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
  });

  it.each([
    ['/join', 'de-AT,en;q=0.5', 'de', 'Sei von Anfang an dabei'],
    ['/join?lang=ar', 'de', 'ar', 'dir="rtl"'],
    ['/join?lang=tlh', 'ja', 'ja', '先行アクセス'],
  ])('%s with Accept-Language %s is in %s', async (path, accepted, language, text) => {
    const page = await get(hosted({ joinPage: true }), path, { 'accept-language': accepted });
    expect(page.text).toContain(`<html lang="${language}"`);
    expect(page.text).toContain(text);
    expect(page.text).toContain(`name="lang" value="${language}"`);
  });

  it('has the declared fields, escaped, and stores what is entered', async () => {
    const harness = hosted({ joinPage: true }, { fields: FIELDS });
    const { text } = await get(harness, '/join');
    expect(text).toContain('<label for="field-company">Your &#60;company&#62;</label>');
    expect(text).toContain(
      'name="company" required dir="auto" maxlength="80" placeholder="" autocomplete="organization"',
    );
    expect(text).toContain('<label for="field-shop">Your shop <span>(optional)</span></label>');
    expect(text).toContain('<option value="2-10">2 to 10</option>');
    expect(text).toContain(
      'value="I agree"><label for="field-terms">I <a href="https://acme.example/terms?a=1&#38;b=2"',
    );
    expect((await get(hosted({ origins: ['https://acme.example'] }, { fields: FIELDS }), '/form')).text).toContain(
      'rel="noreferrer">agree</a>',
    );
    const entered = { company: 'Acme', shop: 'acme.example', size: '2-10', terms: 'I agree' };
    const result = await submit(harness, text, entered, { referer: `${PUBLIC_URL}join?utm_source=card` });
    expect(result.status).toBe(201);
    expect(readSignups(harness.raw)).toMatchObject([{ source: 'join', utm_source: 'card' }]);
    const fields = harness.raw.prepare('SELECT fields FROM email_signups').get()?.fields;
    expect(JSON.parse(String(fields))).toEqual({ ...entered, shop: 'https://acme.example' });
  });

  it('gets a missing field back, with a link to the form in its language', async () => {
    const harness = hosted({ joinPage: true }, { fields: FIELDS });
    const { text } = await get(harness, '/join?lang=de');
    const result = await submit(harness, text, { company: '' });
    expect(result.status).toBe(400);
    expect(result.text).toContain('Es fehlt noch etwas');
    expect(result.text).toContain('<a href="/join?lang=de">');
  });

  it('keeps the share link of a friend in the link back from a refusal', async () => {
    const harness = hosted({ joinPage: true });
    const shared = '/join?lang=de&utm_source=share&utm_content=3xNq-8aPzk';
    const { text } = await get(harness, shared);
    const referer = PUBLIC_URL.origin + shared;
    const result = await submit(harness, text, { email: 'typo@' }, { referer });
    expect([result.status, result.text]).toEqual([
      400,
      expect.stringContaining(`<a href="${shared.replaceAll('&', '&#38;')}">`),
    ]);
  });

  it('refuses in the language of the form, even if the body is not read', async () => {
    const harness = hosted({ joinPage: true }, { rateLimits: { signupForms: { burst: 0, perMinute: 1 } } });
    const { text } = await get(harness, '/join?lang=pl');
    const result = await submit(harness, text, {}, { 'accept-language': 'en' });
    expect([result.status, result.text]).toEqual([429, expect.stringContaining('<html lang="pl"')]);
  });

  it.each([
    ['/join', 'Already on the list: 1,230'],
    ['/join?lang=de', 'Schon auf der Liste: 1.230'],
    ['/join?lang=ja', 'すでに1,230人が登録しています'],
  ])('%s shows how many have joined if anyone may know, as the API says it', async (path, text) => {
    const list = { counts: async () => new Map([['subscribed', 1_239] as const]) };
    const harness = hosted({ joinPage: true }, { list, signupCount: { smallest: 1_000 } });
    expect((await get(harness, path)).text).toContain(`<p class="joined">${text}</p>`);
    expect((await get(harness, '/api/count')).text).toBe('{"count":1230}');
    const small = hosted({ joinPage: true }, { list, signupCount: { smallest: 2_000 } });
    for (const quiet of [small, hosted({ joinPage: true }, { list })]) {
      expect((await get(quiet, path)).text).not.toContain('class="joined"');
    }
  });

  it('is there without the number if the store cannot be read', async () => {
    const list = {
      counts: async () => {
        throw new Error('away');
      },
    };
    const page = await get(hosted({ joinPage: true }, { list, signupCount: { smallest: 1 } }), '/join');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<form')]);
  });

  it('has a QR code that says where the visitor came from', async () => {
    const { headers, text } = await get(hosted({ joinPage: true }), '/join/qr.svg');
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 (\d+) \1">.*<\/svg>$/);
  });

  it('is also at / of a server without a site, which keeps the campaign', async () => {
    const home = await get(hosted({ joinPage: true }), '/?utm_source=etsy');
    expect([home.status, home.headers.get('location')]).toEqual([302, '/join?utm_source=etsy']);
    expect((await get(hosted({ joinPage: true }, { site: UNBUILT_SITE }), '/')).status).toBe(503);
  });

  it('belongs to a host that mounts the application, but / does not', () => {
    const { app } = hosted({ joinPage: true });
    expect(['/join', '/join/qr.svg', '/form', '/'].map((path) => app.handles(path))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('/form', () => {
  const FORMS = { origins: [`${SHOP}/`, 'https://*.studio.example'], keys: { 'wix-shop': KEY } };

  it.each([`${SHOP}/pages/soon`, 'https://a.studio.example/', `${PUBLIC_URL}form`])(
    'is a form in an iframe of %s',
    async (referer) => {
      const harness = hosted(FORMS);
      const page = await frame(harness, '/form', referer);
      expect(page.text).toContain('<form method="post" action="/api/signup-form?page=form">');
      expect(readPolicy(page)).toMatch(
        /; frame-ancestors 'self' https:\/\/shop\.example https:\/\/\*\.studio\.example$/,
      );
      const result = await submit(harness, page.text, {}, { referer: `${PUBLIC_URL}form` });
      expect(result.status).toBe(201);
      expect(readPolicy(result)).toMatch(/; frame-ancestors 'self' https:\/\/shop\.example /);
      // A page with COEP shows no frame without both.
      for (const { headers } of [page, result]) {
        expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
        expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
      }
      expect(readSignups(harness.raw)).toMatchObject([{ source: 'form' }]);
      expect(harness.log).toEqual([]);
    },
  );

  it.each([
    ['https://evil.example/', 'https://evil.example', 'add its origin to FORM_ORIGINS'],
    ['https://a.b.studio.example/', 'https://a.b.studio.example', 'add its origin to FORM_ORIGINS'],
    [undefined, 'null', 'add a form key (FORM_KEYS)'],
  ])('is a link to the form in an iframe of %s, which is logged once an hour', async (referer, origin, fix) => {
    const harness = hosted({ ...FORMS, joinPage: true });
    for (const _ of [1, 2]) {
      const page = await frame(harness, '/form?lang=de', referer);
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('href="/join?lang=de" target="_blank"')]);
      expect(page.text).not.toContain('<form');
      expect(readPolicy(page)).not.toContain('frame-ancestors');
    }
    expect(harness.log).toEqual([
      { level: 'warn', event: 'frame-refused', fields: { origin, fix: expect.stringContaining(fix) } },
    ]);
  });

  it('links to itself without /join, and is a form in a tab', async () => {
    const harness = hosted(FORMS);
    expect((await frame(harness, '/form', 'https://evil.example/')).text).toContain('href="/form" target="_blank"');
    const inTab = { 'sec-fetch-dest': 'document', referer: 'https://evil.example/' };
    expect((await get(harness, '/form', inTab)).text).toContain('<form');
    expect((await get(harness, '/form')).text).toContain('<form');
    expect((await get(harness, '/form', { referer: 'https://evil.example/' })).text).not.toContain('<form');
  });

  it('with a key may be framed by any page, and stores its source', async () => {
    const harness = hosted(FORMS);
    const page = await frame(harness, `/form?key=${KEY}&theme=light`);
    expect(readPolicy(page)).not.toContain('frame-ancestors');
    expect(page.text).toContain('<html lang="en" dir="ltr" data-theme="light" data-framed>');
    const result = await submit(harness, page.text, {}, { origin: 'null' });
    expect(result.status).toBe(201);
    expect(readPolicy(result)).not.toContain('frame-ancestors');
    expect(result.text).toContain(`<a href="/form?key=${KEY}&#38;theme=light">`);
    expect(readSignups(harness.raw)).toMatchObject([{ source: 'wix-shop' }]);
  });

  it.each([
    ['no key', '/form', 'null'],
    ['an unknown key', `/form?key=${KEY}x`, 'null'],
    ['a key that is part of every object', '/form?key=constructor', 'null'],
    ['a key on another site', `/form?key=${KEY}`, 'https://evil.example'],
  ])('accepts no signup with %s', async (_, path, origin) => {
    const harness = hosted(FORMS);
    const page = await get(harness, path);
    const result = await submit(harness, page.text, {}, { origin });
    expect(result.status).toBe(403);
    expect(readSignups(harness.raw)).toEqual([]);
  });

  it('has a key for frames only if the frame page is on', async () => {
    const harness = hosted({ joinPage: true });
    const result = await submit(
      harness,
      `<form method="post" action="/api/signup-form?page=form&key=${KEY}">`,
      {},
      { origin: 'null' },
    );
    expect(result.status).toBe(403);
  });

  it('reports its height by a script of at most 1 kB, and nothing else', async () => {
    const harness = hosted(FORMS);
    const { text } = await frame(harness, '/form', `${SHOP}/`);
    const result = await submit(harness, text, {});
    for (const page of [text, result.text]) {
      const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
      expect(scripts).toEqual([expect.stringContaining('earlyAccessHeight')]);
      expect(Buffer.byteLength(scripts.join(''))).toBeLessThan(1_000);
    }
  });

  it('opens the webmail in a tab, because no webmail lets a page frame it', async () => {
    const harness = hosted(FORMS, { confirm: true });
    const { text } = await frame(harness, '/form', `${SHOP}/`);
    const result = await submit(harness, text, { email: 'ada@gmail.com' });
    expect(result.text).toContain('href="https://mail.google.com/mail/" target="_blank" rel="noopener"');
  });
});

describe('a page of the host after a success', () => {
  const THANKS = `${SHOP}/thanks`;
  const query = `success_url=${encodeURIComponent(THANKS)}`;

  it.each([
    ['join', false],
    ['form', true],
  ])('follows the form of /%s, in the whole window', async (page, isTop) => {
    const harness = hosted({ joinPage: true, origins: [SHOP] });
    const shown = await frame(harness, `/${page}?${query}`, `${SHOP}/`);
    expect(readPolicy(shown)).toContain(`form-action 'self' ${SHOP};`);
    expect(/<form [^>]* target="_top">/.test(shown.text)).toBe(isTop);
    const sent = await submit(harness, shown.text, {});
    expect([sent.status, sent.headers.get('location')]).toEqual([303, THANKS]);
    // A failure has the window, too, and leads back to the same form.
    const again = await submit(harness, shown.text, {});
    expect([again.status, again.text]).toEqual([409, expect.stringContaining(`href="/${page}?success_url=`)]);
    expect(again.text).not.toContain('data-framed');
  });

  it('is left out if its origin is not allowed, which is logged', async () => {
    const log = vi.fn();
    const harness = hosted({ joinPage: true, origins: [SHOP] }, { log });
    const plain = await get(harness, '/join');
    const shown = await get(harness, '/join?success_url=https://evil.test/');
    expect([shown.text, readPolicy(shown)]).toEqual([plain.text, readPolicy(plain)]);
    expect(log).toHaveBeenCalledWith(
      'warn',
      'origin-refused',
      expect.objectContaining({ origin: 'https://evil.test' }),
    );
  });
});

it('fields of the newer types have inputs, help and styles of their own, which other forms lack', async () => {
  const plain = await get(hosted({ joinPage: true }, { fields: FIELDS }), '/join');
  expect(plain.text).not.toMatch(/textarea|fieldset|\.help/);
  const { text, headers } = await get(hosted({ joinPage: true }, { fields: EXAMPLE_DECLARATIONS }), '/join');
  expect(text).toContain('<textarea id="field-story" name="story" dir="auto" rows="4" maxlength="300"');
  expect(text).toContain('<input type="tel" id="field-phone" name="phone" aria-describedby="field-phone-help"');
  expect(text).toContain('<p class="help" id="field-phone-help">We call once.</p>');
  expect(text).toMatch(/<input type="text" id="field-prints" name="prints" dir="ltr" inputmode="decimal"/);
  expect(text).toContain('<input type="date" id="field-opened" name="opened" min="1900-01-01" max="2099-12-31">');
  expect(text).toContain('<fieldset id="field-needs">\n<legend>Needs <span>(optional)</span></legend>');
  expect(text).toContain('<input type="checkbox" id="field-needs-1" name="needs" value="returns 2.0">');
  expect(text).toContain('<label for="field-needs-1">Returns</label>');
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(text) ?? [];
  expect(readPolicy({ headers })).toContain(createHash('sha256').update(style).digest('base64'));
});
