import { createHash } from 'node:crypto';
import { signupOf } from '@early-access-kit/testkit/records';
import { describe, expect, it } from 'vitest';
import { newToken } from '../../app/access/secrets.ts';
import { LANGUAGES } from '../../app/brand/language.ts';
import { ALLOWED_ORIGIN, appHarness } from '../../fixtures/app-harness.ts';
import { fakeList } from '../../fixtures/fake-list.ts';
import { claimNext } from '../../fixtures/temp-store.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ONE_CLICK = 'List-Unsubscribe=One-Click';

function harness(options: Parameters<typeof appHarness>[0] = {}) {
  const fake = fakeList();
  const app = appHarness({ list: fake.list, ...options });
  const get = (path: string, language = 'en') => app.get(path, { 'accept-language': language });
  const json = (path: string, body: unknown) => app.post(path, body, { headers: JSON_TYPE });
  return { ...app, ...fake, get, json };
}

describe('POST /api/confirm', () => {
  it('confirms with the hash of the token, and returns what came of it', async () => {
    const { json, token, hash, calls, state } = harness();
    const results = [];
    for (const result of ['confirmed', 'already-confirmed', 'expired'] as const) {
      state.confirmation = result;
      results.push(await (await json('/api/confirm', { token })).json());
    }
    expect(results).toEqual([{ result: 'confirmed' }, { result: 'already-confirmed' }, { result: 'expired' }]);
    expect(calls[0]).toEqual(['confirm', hash, null]);
  });

  it('passes on the key of the browser that signed up', async () => {
    const { json, token } = harness();
    const readResult = async (submission_id: string) => (await json('/api/confirm', { token, submission_id })).json();
    expect(await readResult('submission-1')).toEqual({ result: 'confirmed' });
    expect(await readResult('submission-2')).toEqual({ result: 'other-browser' });
  });

  it('returns the share link to the person who has confirmed, and never before', async () => {
    const { post, store } = appHarness({ confirm: true, share: { showPlaces: true } });
    const ask = async (body: object) => (await post('/api/confirm', body, { headers: JSON_TYPE })).json();
    await store.createSignup(signupOf({ email: 'ada@example.org', page_url: 'http://localhost:4173/' }));
    const token = (await claimNext(store.mails))?.tokens.link;
    expect(await ask({ token, submission_id: 'another-submission' })).toEqual({ result: 'other-browser' });
    const url = expect.stringMatching(/^http:\/\/localhost:4173\/\?utm_source=share&utm_content=[\w-]{10}$/);
    const share = expect.objectContaining({ url, place: 'Your place in line: 1' });
    expect(await ask({ token })).toEqual({ result: 'confirmed', share });
    expect(await ask({ token })).toEqual({ result: 'already-confirmed', share });
    await store.list.changePerson('ada@example.org', 'unsubscribe', 'person');
    expect(await ask({ token })).not.toHaveProperty('share');
    expect(await ask({ token: newToken() })).toEqual({ result: 'unknown' });
  });

  it('confirms even if the share link cannot be read', async () => {
    const fake = fakeList();
    const findOwner = async () => {
      throw new Error('away');
    };
    const { post } = appHarness({ list: { ...fake.list, findOwner }, share: { showPlaces: false } });
    const response = await post('/api/confirm', { token: fake.token }, { headers: JSON_TYPE });
    expect(await response.json()).toEqual({ result: 'confirmed' });
  });

  it.each([undefined, null, 7, '', 'x'.repeat(42), 'x'.repeat(20_000), { length: 43 }])(
    'does not look up %.20j',
    async (token) => {
      const { json, calls } = harness();
      const response = await json('/api/confirm', { token });
      expect([response.status, await response.json(), calls]).toEqual([200, { result: 'unknown' }, []]);
    },
  );

  it('refuses other pages, other types, long keys and other methods', async () => {
    const { post, json, get, token, calls } = harness();
    const foreign = { headers: { ...JSON_TYPE, origin: 'https://evil.test' } };
    expect((await post('/api/confirm', { token }, foreign)).status).toBe(403);
    expect((await post('/api/confirm', `token=${token}`, { headers: FORM })).status).toBe(415);
    expect((await post('/api/confirm', { token })).status).toBe(415);
    expect((await json('/api/confirm', { token, submission_id: 'x'.repeat(65) })).status).toBe(400);
    expect((await json('/api/confirm', { token, submission_id: 7 })).status).toBe(400);
    expect((await get(`/api/confirm?token=${token}`)).status).toBe(405);
    expect(calls).toEqual([]);
  });

  it('limits how many tokens one client may try', async () => {
    const { json, calls } = harness({ rateLimits: { confirmations: { burst: 3, perMinute: 6 } } });
    const statuses = [];
    for (let turn = 0; turn < 5; turn += 1) statuses.push((await json('/api/confirm', { token: newToken() })).status);
    expect([statuses, calls.length]).toEqual([[200, 200, 200, 429, 429], 3]);
  });
});

describe('POST /api/confirm/renew', () => {
  it('returns the same for every token, and wakes the mail worker if an email is queued', async () => {
    const { json, token, wakes } = harness();
    const responses = [];
    for (const given of [newToken(), 'no token', token]) {
      const response = await json('/api/confirm/renew', { token: given });
      responses.push([response.status, await response.text(), wakes.count]);
    }
    expect(responses).toEqual([
      [202, '', 0],
      [202, '', 0],
      [202, '', 1],
    ]);
  });

  it('limits the emails that one link asks for, from all clients together', async () => {
    const { post, token, wakes } = harness();
    const statuses = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const client = `192.0.2.${turn}`;
      statuses.push((await post('/api/confirm/renew', { token }, { headers: JSON_TYPE, client })).status);
    }
    expect([statuses, wakes.count]).toEqual([[202, 202, 429, 429], 2]);
  });
});

describe('POST /api/unsubscribe', () => {
  it('takes the one click of RFC 8058, as either kind of form and from anywhere', async () => {
    const { post, app, token, hash, calls } = harness();
    const url = `/api/unsubscribe?token=${token}`;
    const multipart = new FormData();
    multipart.append('List-Unsubscribe', 'One-Click');
    const request = new Request(`http://localhost:4173${url}`, { method: 'POST', body: multipart });
    for (const response of [
      await post(url, ONE_CLICK, { headers: FORM }),
      await post(url, ONE_CLICK, { headers: { ...FORM, origin: 'https://webmail.example' } }),
      await app.fetch(request),
    ]) {
      expect([response.status, await response.json()]).toEqual([200, { result: 'unsubscribed' }]);
    }
    expect(calls).toEqual(Array(3).fill(['unsubscribe', hash]));
  });

  it('takes JSON', async () => {
    const { json, token } = harness();
    expect(await (await json('/api/unsubscribe', { token })).json()).toEqual({ result: 'unsubscribed' });
    expect(await (await json('/api/unsubscribe', { token: newToken() })).json()).toEqual({ result: 'unknown' });
  });

  it.each([
    ['a line break at the end', `${ONE_CLICK}\r\n`, FORM],
    ['no type', ONE_CLICK, { 'content-type': '' }],
    ['another type', ONE_CLICK, { 'content-type': 'text/plain' }],
    ['an empty form', '', FORM],
    ['a line break alone', '\r\n', FORM],
    ['neither body nor type', '', { 'content-type': '' }],
    [
      'a line break in a multipart body',
      `--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n\r\n--x--\r\n`,
      { 'content-type': 'multipart/form-data; boundary=x' },
    ],
  ])('takes one click with %s', async (_, body, headers) => {
    const { post, token, hash, calls } = harness();
    const response = await post(`/api/unsubscribe?token=${token}`, body, { headers });
    expect([response.status, await response.json()]).toEqual([200, { result: 'unsubscribed' }]);
    expect(calls).toEqual([['unsubscribe', hash]]);
  });

  it('takes the token if a mail program has encoded the address', async () => {
    const { post, token, calls } = harness();
    for (const query of [`utm_source=x&amp;token=${token}`, `token%3D${token}`, `token=${token}.`])
      expect((await post(`/api/unsubscribe?${query}`, ONE_CLICK, { headers: FORM })).status).toBe(200);
    expect(calls).toHaveLength(3);
  });

  it.each([
    ['another form', 'List-Unsubscribe=No', FORM],
    ['a broken multipart body', ONE_CLICK, { 'content-type': 'multipart/form-data; boundary=x' }],
  ])('changes nothing for %s', async (_, body, headers) => {
    const { post, token, calls } = harness();
    expect((await post(`/api/unsubscribe?token=${token}`, body, { headers })).status).toBe(400);
    expect(calls).toEqual([]);
  });

  it('is opened as the page with its button, and takes no other method', async () => {
    const { app, get, token, calls } = harness();
    const response = await get(`/api/unsubscribe?token=${token}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, `/unsubscribe?token=${token}`]);
    const send = (method: string) => app.fetch(new Request('http://localhost:4173/api/unsubscribe', { method }));
    expect((await send('HEAD')).status).toBe(303);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const refused = await send(method);
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
    }
    expect(calls).toEqual([]);
  });
});

describe('the page /unsubscribe', () => {
  it('asks with one button, and changes nothing by being opened', async () => {
    const { get, token, calls } = harness();
    const response = await get(`/unsubscribe?token=${token}`);
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(page.match(/<button/g)).toHaveLength(1);
    expect(page).toContain('<form method="post">');
    expect(page).not.toContain(token);
    expect(page).not.toContain('<script');
    expect(calls).toEqual([]);
  });

  it('changes nothing for a form that a script has submitted without its button', async () => {
    const { post, token, calls } = harness();
    expect((await post(`/unsubscribe?token=${token}`, '', { headers: FORM })).status).toBe(400);
    expect(calls).toEqual([]);
  });

  it('responds to its form with a page, from any origin', async () => {
    const { post, token } = harness();
    for (const origin of ['http://localhost:4173', 'null']) {
      const response = await post(`/unsubscribe?token=${token}`, ONE_CLICK, { headers: { ...FORM, origin } });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('You are unsubscribed')]);
    }
  });

  it('says that a link does not work, or that it failed', async () => {
    const { post, get, token } = harness({ rateLimits: { unsubscriptions: { burst: 1, perMinute: 6 } } });
    expect(await (await get('/unsubscribe')).text()).toContain('This link does not work');
    const unknown = await post(`/unsubscribe?token=${newToken()}`, ONE_CLICK, { headers: FORM });
    expect(await unknown.text()).toContain('This link does not work');
    const limited = await post(`/unsubscribe?token=${token}`, ONE_CLICK, { headers: FORM });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await limited.text()).toMatch(/try again in a minute[\s\S]*<button/);
  });
});

describe('the pages of links', () => {
  it.each(['/confirm', `/unsubscribe?token=${newToken()}`])(
    '%s: in each language, without a referrer',
    async (path) => {
      const { get } = harness({ brand: { name: 'Fish & <Chips>', url: 'https://acme.example/' } });
      const pages = [];
      for (const language of LANGUAGES) {
        const response = await get(path, language);
        expect(response.headers.get('referrer-policy')).toBe('no-referrer');
        expect(response.headers.get('cache-control')).toBe('private, no-store');
        expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
        const page = await response.text();
        expect(page).toContain(`<html lang="${language}"`);
        expect(page).toContain('Fish &#38; &#60;Chips&#62;');
        expect(page).not.toMatch(/>(undefined|null)<|<Chips>/);
        pages.push(page);
      }
      expect(new Set(pages).size).toBe(LANGUAGES.length);
    },
  );

  it('/confirm runs its own script only', async () => {
    const response = await harness().get('/confirm');
    const script = /<script>([\s\S]*)<\/script>/.exec(await response.text())?.[1] ?? '';
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(policy).toContain("connect-src 'self'; base-uri 'none'; form-action 'none'");
    expect(policy).not.toMatch(/unsafe|http/);
  });
});

it('logs no token, not even if the store fails', async () => {
  const { list, token } = fakeList();
  const broken = async () => {
    throw new Error(`no such row: ${token}`.slice(0, 11));
  };
  const { post, log } = appHarness({ list: { ...list, confirm: broken, unsubscribe: broken } });
  const headers = { ...JSON_TYPE, origin: ALLOWED_ORIGIN };
  expect((await post('/api/confirm', { token }, { headers })).status).toBe(500);
  expect((await post(`/unsubscribe?token=${token}`, ONE_CLICK, { headers: FORM })).status).toBe(500);
  expect(log.map(({ fields }) => fields?.route)).toEqual(['/api/confirm', '/unsubscribe']);
  expect(JSON.stringify(log)).not.toContain(token);
});
