import { MAX_BODY_BYTES, englishSignupMessages as messages } from 'early-access-kit/core';

import { escapeHtml } from 'early-access-server/mail';

import { describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { harness, NOW } from '../fixtures/harness.ts';

const ADA = 'ada@example.org';
const SITE = 'https://www.acme.example';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const b = harness();

function submit(fields: Record<string, string>, headers: Record<string, string> = {}, method = 'POST') {
  const body = method === 'GET' ? null : new URLSearchParams(fields).toString();
  return fetch(b.functions.functionUrl('submit-signup-form'), { method, body, headers: { ...FORM, ...headers } });
}

describe('submit-signup-form', () => {
  it('stores the signup as the adapter does, with its state, and responds with a page that says so', async () => {
    const response = await submit({ email: ' Ada@Example.org ' }, { origin: SITE });
    const page = await response.text();
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(page).toContain(`<h1>${escapeHtml(messages.successTitle)}</h1>`);
    expect(page).toContain(`<a href="${SITE}/">`);
    const id = signupId(ADA);
    expect(await b.database.list('email_signups')).toHaveLength(1);
    expect((await b.database.get(`email_signups/${id}`))?.fields).toEqual({
      email: { stringValue: ADA },
      session_id: { nullValue: null },
      source: { stringValue: 'landing_page' },
      referrer: { nullValue: null },
      submission_id: { stringValue: expect.stringMatching(/^[\w-]{36}$/) },
      created_at: { timestampValue: new Date(NOW).toISOString().replace('.000Z', 'Z') },
      state: { stringValue: 'subscribed' },
      person_id: { stringValue: expect.stringMatching(/^[\w-]{36}$/) },
    });
    // The signup's event sends the email.
    await b.deliver(id);
    expect(b.mailServer.recipients).toEqual([ADA]);
  });

  it('stores the source from the form', async () => {
    await submit({ email: ADA, source: 'footer' });
    expect((await b.database.get(`email_signups/${signupId(ADA)}`))?.fields).toMatchObject({
      source: { stringValue: 'footer' },
    });
  });

  it('stores the URL of the form’s page and its campaign from the Referer header', async () => {
    await submit({ email: ADA }, { referer: `${SITE}/join?utm_source=news&step=2` });
    const { page_url, utm_source, utm_term } = (await b.database.get(`email_signups/${signupId(ADA)}`))?.fields ?? {};
    expect([page_url, utm_source, utm_term]).toEqual([
      { stringValue: `${SITE}/join` },
      { stringValue: 'news' },
      undefined,
    ]);
  });

  it('responds with 409 to a duplicate and does not change the stored signup', async () => {
    await b.signUp(ADA);
    const before = await b.database.get(`email_signups/${signupId(ADA)}`);
    const response = await submit({ email: 'ADA@example.org' });
    expect([response.status, await response.text()]).toEqual([409, expect.stringContaining(messages.duplicateEmail)]);
    expect(await b.database.get(`email_signups/${signupId(ADA)}`)).toEqual(before);
  });

  it('stores one of many concurrent signups', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => submit({ email: ADA })));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  it('does not report a duplicate if only the response of the store was lost', async () => {
    // The first two commits are the rate limiter's.
    b.database.faults.next({ verb: 'commit', delayMs: 0 });
    b.database.faults.next({ verb: 'commit', delayMs: 0 });
    b.database.faults.next({ verb: 'commit', drop: 'after' });
    expect((await submit({ email: ADA })).status).toBe(201);
    expect(await b.database.list('email_signups')).toHaveLength(1);
  });

  it.each([{ email: 'no address' }, { email: '' }, {}, { email: '<script>alert(1)</script>@x.io' }])(
    'asks for a valid address if the fields are %j, and does not repeat them',
    async (fields) => {
      const response = await submit(fields);
      const page = await response.text();
      expect([response.status, page]).toEqual([400, expect.stringContaining(messages.invalidEmail)]);
      expect(page).not.toContain('<script');
      expect(await b.database.list('email_signups')).toEqual([]);
    },
  );

  it.each<[string, number, Record<string, string>, Record<string, string>, string?]>([
    ['a bot that fills in everything', 400, { email: ADA, website: 'https://spam.test' }, {}],
    ['a source that is too long', 400, { email: ADA, source: 'x'.repeat(65) }, {}],
    ['another type', 415, { email: ADA }, { 'content-type': 'text/plain' }],
    ['a body that is too long', 413, { email: ADA, more: 'x'.repeat(3 * MAX_BODY_BYTES) }, {}],
    ['another method', 405, {}, {}, 'GET'],
  ])('refuses %s', async (_, status, fields, headers, method) => {
    const response = await submit(fields, headers, method);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(messages.signupFailed)]);
    expect(await b.database.list('email_signups')).toEqual([]);
  });

  it.each([
    ['https://evil.test', 'its origin has to be allowed', 'PUBLIC_URL'],
    ['http://www.acme.example', 'its origin has to be allowed', 'PUBLIC_URL'],
    ['null', 'a sandboxed iframe needs “allow-same-origin”', 'allow-same-origin'],
  ])('tells the visitor why the origin %s is refused, and logs it once', async (origin, reason, fix) => {
    const host = 'www.acme.example';
    for (let turn = 0; turn < 2; turn += 1) {
      const response = await submit({ email: ADA }, { origin, 'x-forwarded-host': host });
      const page = await response.text();
      expect([response.status, page]).toEqual([403, expect.stringContaining(reason)]);
      expect(page).not.toMatch(/once more|try again/i);
    }
    expect(await b.database.list('email_signups')).toEqual([]);
    expect(b.log).toEqual([
      { level: 'warn', event: 'origin-refused', fields: { origin, fix: expect.stringContaining(fix) } },
    ]);
  });

  it('counts invalid forms towards the rate limit', async () => {
    await b.deploy({ rateLimits: { signupForms: { burst: 2, perMinute: 6 } } });
    const statuses: number[] = [];
    for (const email of ['', 'no address', 'x'.repeat(20_000)]) statuses.push((await submit({ email })).status);
    expect(statuses).toEqual([400, 400, 429]);
  });

  it('accepts forms from a preview channel, which Hosting serves under another host name', async () => {
    const preview = 'demo-early-access--pr-1.web.app';
    const response = await submit({ email: ADA }, { origin: `https://${preview}`, 'x-forwarded-host': preview });
    expect(response.status).toBe(201);
  });

  it('is rate-limited by visitor and by address', async () => {
    await b.deploy({
      rateLimits: {
        signupForms: { burst: 2, perMinute: 6 },
        signupsPerAddress: { burst: 3, perMinute: 6 },
      },
    });
    const from = (visitor: string, email: string) =>
      submit({ email }, { 'x-forwarded-host': 'www.acme.example', 'x-forwarded-for': `${visitor}, 198.51.100.1` });
    const statuses = [
      await from('192.0.2.1', ADA),
      await from('192.0.2.1', ADA),
      await from('192.0.2.1', ADA),
      await from('192.0.2.2', ADA),
      await from('192.0.2.3', ADA),
      await from('192.0.2.3', 'bob@example.org'),
      await from('192.0.2.4', 'eve@example.org'),
    ].map(({ status }) => status);
    // The fifth is refused by the limit of its address, after it has counted towards the visitor's.
    expect(statuses).toEqual([201, 409, 429, 409, 429, 201, 201]);
    const refused = await from('192.0.2.1', 'new@example.org');
    expect(refused.headers.get('retry-after')).toBe('10');
  });

  it('responds with an error page if the store fails', async () => {
    b.database.faults.always({ verb: 'commit', status: 403 });
    const response = await submit({ email: ADA });
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining(messages.signupFailed)]);
    expect(JSON.stringify(b.log)).not.toContain(signupId(ADA));
  });

  it('responds with an error page if a setting is missing, and logs which one', async () => {
    await b.deploy({ publicUrl: '' });
    const response = await submit({ email: ADA });
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('<a href="/">')]);
    expect(b.log).toContainEqual(
      expect.objectContaining({
        fields: { reason: 'PUBLIC_URL must look like https://www.example.com, without a path' },
      }),
    );
  });
});
