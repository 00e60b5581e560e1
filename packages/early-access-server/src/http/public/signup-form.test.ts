import { englishSignupMessages as messages } from 'early-access-kit/internal';
import { describe, expect, it, vi } from 'vitest';
import { ALLOWED_ORIGIN, type AppHarness, appHarness, type PostOptions } from '../../fixtures/app-harness.ts';
import { readSignups } from '../../fixtures/read-back.ts';
import { escapeHtml } from '../../mail/templates/escape-html.ts';

const submit = ({ post }: AppHarness, fields: Record<string, string>, options?: PostOptions) =>
  post('/api/signup-form', new URLSearchParams(fields), options);

describe('POST /api/signup-form', () => {
  it('stores the signup, returns a success page and wakes the mail worker', async () => {
    const harness = appHarness();
    const response = await submit(harness, { email: ' Me@Example.org ' });
    const page = await response.text();
    expect(response.status).toBe(201);
    expect(page).toContain(`<h1>${escapeHtml(messages.successTitle)}</h1>`);
    expect(page).toContain(escapeHtml(messages.successText));
    expect(page).toContain('<a href="/">');
    expect(readSignups(harness.raw)).toMatchObject([
      { email: 'me@example.org', source: 'landing_page', session_id: null, referrer: null },
    ]);
    expect(harness.wakes.count).toBeGreaterThan(0);
  });

  it('says to check the inbox, with a link to the webmail, if the address has to be confirmed', async () => {
    const harness = appHarness({ confirm: true });
    const page = await (await submit(harness, { email: 'ada@gmail.com' })).text();
    expect(page).toContain('<h1>Check your inbox</h1>');
    expect(page).toContain('<a class="button" href="https://mail.google.com/mail/">Open your inbox</a>');
    expect(page).not.toContain(escapeHtml(messages.successTitle));
  });

  it('stores the source from the form', async () => {
    const harness = appHarness();
    await submit(harness, { email: 'me@example.org', source: 'footer' });
    expect(readSignups(harness.raw)).toMatchObject([{ source: 'footer' }]);
  });

  it('stores the page of the form and its campaign from the Referer header', async () => {
    const harness = appHarness();
    const referer = 'http://localhost:4173/join?utm_source=news&utm_term=%00&step=2';
    await submit(harness, { email: 'me@example.org' }, { headers: { referer } });
    const [signup] = readSignups(harness.raw);
    expect(signup).toMatchObject({ page_url: 'http://localhost:4173/join', utm_source: 'news' });
    expect(signup).not.toHaveProperty('utm_term');
  });

  it.each([
    [4_096, true],
    [4_097, false],
  ])('stores the page of a Referer header of %i characters: %j', async (length, isStored) => {
    const harness = appHarness();
    const page = 'http://localhost:4173/join';
    const referer = `${page}?`.padEnd(length, 'x');
    await submit(harness, { email: 'me@example.org' }, { headers: { referer } });
    expect('page_url' in (readSignups(harness.raw)[0] ?? {})).toBe(isStored);
  });

  it.each(['no address', 'about:blank', `https://x.io/${'a'.repeat(9_000)}?utm_source=${'%F0%9F%8E%A8'.repeat(300)}`])(
    'accepts the signup with the referer %.20s',
    async (referer) => {
      const harness = appHarness();
      const response = await submit(harness, { email: 'me@example.org' }, { headers: { referer } });
      expect(response.status).toBe(201);
    },
  );

  it('returns a duplicate page', async () => {
    const harness = appHarness();
    await submit(harness, { email: 'me@example.org' });
    const response = await submit(harness, { email: 'ME@example.org' });
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining(messages.duplicateEmail)]);
    expect(readSignups(harness.raw)).toHaveLength(1);
  });

  it.each([{ email: 'no address' }, { email: '' }, {}, { email: '<script>alert(1)</script>@x.io' }])(
    'asks for a valid address and does not repeat %j',
    async (fields) => {
      const harness = appHarness();
      const response = await submit(harness, fields);
      const page = await response.text();
      expect([response.status, page]).toEqual([400, expect.stringContaining(messages.invalidEmail)]);
      expect(page).not.toContain('<script');
      expect(readSignups(harness.raw)).toEqual([]);
    },
  );

  it.each([
    ['a bot that fills in every field', { email: 'me@example.org', website: 'https://spam.test' }],
    ['a source that is too long', { email: 'me@example.org', source: 'x'.repeat(65) }],
  ])('refuses %s', async (_, fields) => {
    const harness = appHarness();
    const response = await submit(harness, fields);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(messages.signupFailed)]);
    expect(readSignups(harness.raw)).toEqual([]);
  });

  it('returns a page for every refusal', async () => {
    const harness = appHarness({ rateLimits: { signupForms: { burst: 1, perMinute: 6 } } });
    const refused = [
      await submit(harness, { email: 'me@example.org' }, { headers: { 'content-type': 'multipart/form-data' } }),
      await submit(harness, { email: 'me@example.org' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([415, 429]);
    expect(refused[1]?.headers.get('retry-after')).toBe('10');
    for (const response of refused) expect(await response.text()).toContain(escapeHtml(messages.signupFailed));
    expect(readSignups(harness.raw)).toEqual([]);
  });

  it.each([
    ['https://evil.test', 'its origin has to be allowed'],
    ['null', 'a sandboxed iframe needs “allow-same-origin”'],
  ])('explains to a page of origin %s why retrying would not help', async (origin, reason) => {
    const harness = appHarness();
    const response = await submit(harness, { email: 'me@example.org' }, { headers: { origin } });
    const page = await response.text();
    expect([response.status, page]).toEqual([403, expect.stringContaining(reason)]);
    expect(page).not.toMatch(/once more|try again/i);
    expect(readSignups(harness.raw)).toEqual([]);
  });

  it('counts refused forms towards the limit', async () => {
    const harness = appHarness({ rateLimits: { signupForms: { burst: 2, perMinute: 6 } } });
    const statuses: number[] = [];
    for (const email of ['', 'no address', 'x'.repeat(20_000)])
      statuses.push((await submit(harness, { email })).status);
    expect(statuses).toEqual([400, 400, 429]);
  });

  it('returns a failure page if the store fails', async () => {
    const harness = appHarness();
    harness.store.close();
    const response = await submit(harness, { email: 'me@example.org' });
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining(messages.signupFailed)]);
  });

  it.each([
    ['?utm_source=share&utm_content=3xNq-8aPzk&step=2', '?utm_source=share&#38;utm_content=3xNq-8aPzk'],
    [`?UTM_Source=${'x'.repeat(300)}&utm_term=%00`, `?utm_source=${'x'.repeat(256)}`],
    ['?utm_source=@studio&utm_content=ada@example.org', '?utm_source=%40studio'],
    ['?email=ada@example.org', ''],
  ])(
    'links back from a refusal to the page with %.40s, with its campaign and without addresses',
    async (query, kept) => {
      const page = 'http://localhost:4173/de/early';
      const headers = { origin: 'http://localhost:4173', referer: page + query };
      const response = await submit(appHarness(), { email: 'typo@' }, { headers });
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining(`<a href="${page}${kept}">`),
      ]);
    },
  );

  it('does not link to the page of another site', async () => {
    const headers = { origin: ALLOWED_ORIGIN, referer: 'https://evil.test/?utm_source=x' };
    const response = await submit(appHarness(), { email: 'typo@' }, { headers });
    expect(await response.text()).toContain(`<a href="${ALLOWED_ORIGIN}/">`);
  });

  it('allows its page only its own style', async () => {
    const response = await submit(appHarness(), { email: 'me@example.org' });
    const style = /<style>([\s\S]*)<\/style>/.exec(await response.text())?.[1] ?? '';
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))).toString('base64');
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
  });
});

describe('a page of the host after a success', () => {
  const THANKS = `${ALLOWED_ORIGIN}/thanks?list=beta#top`;
  const origin = ALLOWED_ORIGIN;

  it.each([
    ['stored', false],
    ['waits to be confirmed', true],
  ])('follows a signup that is %s, without the address', async (_, confirm) => {
    const harness = appHarness({ confirm });
    const response = await submit(harness, { email: 'me@example.org', success_url: THANKS }, { headers: { origin } });
    expect([response.status, response.headers.get('location')]).toEqual([303, THANKS]);
    expect(readSignups(harness.raw)).toMatchObject([{ email: 'me@example.org' }]);
  });

  it('may be relative to the site that the form is on', async () => {
    const fields = { email: 'me@example.org', success_url: '/thanks' };
    const response = await submit(appHarness(), fields, { headers: { origin } });
    expect(response.headers.get('location')).toBe(`${ALLOWED_ORIGIN}/thanks`);
  });

  it.each(['https://evil.test/thanks', '//evil.test', 'javascript:alert(1)', '/thanks?to=me@example.org'])(
    'is the result page instead of %s, which is logged as a refused origin',
    async (success_url) => {
      const log = vi.fn();
      const harness = appHarness({ log });
      const response = await submit(harness, { email: 'me@example.org', success_url }, { headers: { origin } });
      expect([response.status, response.headers.get('location')]).toEqual([201, null]);
      expect(await response.text()).toContain(escapeHtml(messages.successTitle));
      const refused = success_url.includes('evil') ? 'https://evil.test' : 'malformed';
      expect(log).toHaveBeenCalledWith('warn', 'origin-refused', expect.objectContaining({ origin: refused }));
      expect(readSignups(harness.raw)).toHaveLength(1);
    },
  );

  it('does not follow anything else', async () => {
    const harness = appHarness();
    const send = (email: string, headers = {}) => submit(harness, { email, success_url: THANKS }, { headers });
    await send('me@example.org', { origin });
    const others = [
      await send('me@example.org'),
      await send('no address'),
      await send('x@x.io', { origin: 'https://evil.test' }),
    ];
    expect(others.map(({ status }) => status)).toEqual([409, 400, 403]);
  });
});
