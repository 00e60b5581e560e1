import { englishSignupMessages as messages } from 'early-access-kit/internal';
import { mailboxKey } from 'early-access-server/internal';
import { escapeHtml } from 'early-access-server/mail';

import { describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { harness, NOW } from '../fixtures/harness.ts';

const ADA = 'ada@example.org';
const SITE = 'https://www.acme.example';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const b = await harness();

function submit(fields: Record<string, string>, headers: Record<string, string> = {}, method = 'POST') {
  const body = method === 'GET' ? null : new URLSearchParams(fields).toString();
  return fetch(b.functions.functionUrl('submit-signup-form'), { method, body, headers: { ...FORM, ...headers } });
}

describe('submit-signup-form', () => {
  it('stores the signup like the adapter, with its state, and responds with a page that confirms it', async () => {
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
      subscribed_at: { integerValue: String(NOW) },
      mailbox: { stringValue: mailboxKey(ADA) },
      person_id: { stringValue: expect.stringMatching(/^[\w-]{36}$/) },
      place_at: { integerValue: String(NOW) },
      referrals: { integerValue: '0' },
    });
    // The signup's event sends the email.
    await b.deliver(id);
    expect(b.mailServer.recipients).toEqual([ADA]);
  });

  it('does not report a duplicate if only the store’s response was lost', async () => {
    // The first two commits are the rate limiter's.
    b.database.faults.next({ verb: 'commit', delayMs: 0 });
    b.database.faults.next({ verb: 'commit', delayMs: 0 });
    b.database.faults.next({ verb: 'commit', drop: 'after' });
    expect((await submit({ email: ADA })).status).toBe(201);
    expect(await b.database.list('email_signups')).toHaveLength(1);
  });

  it('accepts forms from a preview channel, which Hosting serves under another host name', async () => {
    const preview = 'demo-early-access--pr-1.web.app';
    const response = await submit({ email: ADA }, { origin: `https://${preview}`, 'x-forwarded-host': preview });
    expect(response.status).toBe(201);
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
