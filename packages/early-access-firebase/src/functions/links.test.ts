import PostalMime from 'postal-mime';
import { describe, expect, it } from 'vitest';
import { signupId } from '../firestore/database.ts';
import { harness } from '../fixtures/harness.ts';

const ADA = 'ada@example.org';
const KEY = 'k'.repeat(32);
const INVITES = { url: new URL('https://app.acme.example/join'), key: KEY };
const b = await harness();

/** Sends a request through Hosting, like the page or the product's back end. */
function ask(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(b.functions.functionUrl('links') + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      origin: 'https://www.acme.example',
      'x-forwarded-host': 'www.acme.example',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

const post = async (path: string, body: unknown) => (await ask(path, body)).json();

/** The token of a link in the latest email to Ada. */
async function extractToken(link: RegExp): Promise<string> {
  const { text = '' } = await PostalMime.parse(b.mailServer.mailsTo(ADA).at(-1)?.source ?? '');
  const token = link.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link ${link} in: ${text}`);
  return token;
}

it('without share links, there is no route to them', async () => {
  expect((await ask('/api/share', { email: ADA, submission_id: 'submission-1' })).status).toBe(405);
});

it('the browser that signed up gets the key with which its link confirms without a click', async () => {
  await b.deploy({ confirm: true });
  await b.deliver(await b.signUp(ADA));
  const { headers } = await ask('/api/inbox', { email: ADA, submission_id: 'submission-1' });
  expect(headers.get('set-cookie')).toMatch(
    /^early_access_signup=submission-1; Max-Age=\d+; Path=\/confirm; Secure; SameSite=None$/,
  );
  // Hosting removes the cookie of any other response.
  expect(headers.get('cache-control')).toContain('private');
  const token = await extractToken(/confirm#token=([\w-]{43})/);
  const confirm = (submission_id: string) => post('/api/confirm', { token, submission_id });
  expect(await confirm('another-submission')).toEqual({ result: 'other-browser' });
  expect(await confirm('submission-1')).toEqual({ result: 'confirmed' });
});

describe('the life of a person on the list', () => {
  it('recovers links that a mail filter has changed, and sends a new one if the token is gone', async () => {
    await b.deploy({ confirm: true, invites: INVITES });
    await b.deliver(await b.signUp(ADA));
    const first = await extractToken(/confirm#token=([\w-]{43})/);
    for (const [path, location] of [
      [`/confirm%23token=${first}`, `/confirm#token=${first}`],
      [`/invite/%2523invite=${first}`, `/invite#invite=${first}`],
      [`/admin%23token=${first}`, `/admin#token=${first}`],
      [`/api/unsubscribe?token=${first}`, `/unsubscribe?token=${first}`],
    ] as const) {
      const response = await fetch(b.functions.functionUrl('links') + path, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([303, location]);
    }
    expect((await ask('/confirm/')).status).toBe(200);
    const answers = [];
    for (const email of [ADA, 'bob@example.org'])
      answers.push((await ask('/api/links', { email, page: 'confirm' })).status);
    expect(answers).toEqual([202, 202]);
    await b.sweep();
    expect(b.mailServer.recipients).toEqual([ADA, ADA]);
    const second = await extractToken(/confirm#token=([\w-]{43})/);
    expect(second).not.toBe(first);
    expect(await post('/api/confirm', { token: second })).toEqual({ result: 'confirmed' });
  });

  it('reminds people who have not confirmed, in the sweep', async () => {
    await b.deploy({ confirm: true });
    await b.deliver(await b.signUp(ADA));
    b.clock.now += 3 * 86_400_000;
    await b.sweep();
    await b.sweep();
    expect(b.mailServer.recipients).toEqual([ADA, ADA]);
    b.clock.now += 27 * 86_400_000;
    await b.sweep();
    expect(await b.database.list('email_signups')).toEqual([]);
  });
});

it('has no invitations without an invite page, and no other routes', async () => {
  for (const path of ['/api/invites/redeem', '/api/signups', '/api/admin/session', '/', '/join', '/form']) {
    expect((await ask(path, {}, { authorization: 'Bearer ' })).status).toBe(404);
  }
});

describe.each([
  'brand',
  'texts',
  'fields',
  'invites',
  'inviteUrl',
  'mail',
  'adminEmail',
  'publicUrl',
  'verifyHuman',
] as const)('if %s is invalid', (name) => {
  it('people can still leave and confirm, and the sweep does the rest of its work', async () => {
    await b.deploy({ confirm: true });
    await b.deliver(await b.signUp(ADA));
    const text = String((await b.mailServer.waitForMail(ADA)).text);
    const [leave = '', confirmation = ''] = [/unsubscribe\?token=([\w-]{43})/, /confirm#token=([\w-]{43})/].map(
      (link) => link.exec(text)?.[1],
    );
    await b.signUp('bob@example.org');
    await b.deliver(signupId('bob@example.org'));
    await b.deploy({ confirm: true, unusable: [name] });
    for (const page of ['/confirm', `/unsubscribe?token=${leave}`]) expect((await ask(page)).status).toBe(200);
    expect(await post('/api/confirm', { token: confirmation })).toEqual({ result: 'confirmed' });
    expect(await post('/api/unsubscribe', { token: leave })).toEqual({ result: 'unsubscribed' });
    // Bob never confirms.
    b.clock.now += 31 * 86_400_000;
    expect((await b.sweep()).status).toBe(200);
    expect(await b.store.list.counts()).toEqual(new Map([['unsubscribed', 1]]));
  });
});

it('shows the host’s texts on its pages, and the built-in ones if one of them is invalid', async () => {
  const texts = { en: { confirmTitle: 'One more step' } };
  await b.deploy({ texts });
  expect(await (await ask('/confirm')).text()).toContain('One more step');
  await b.deploy({ texts: JSON.parse('{ "en": { "confirmTitel": "One more step" } }') });
  expect(await (await ask('/confirm')).text()).toContain('Confirm your email address');
  const reason = 'texts.en.confirmTitel (PAGE_TEXTS) does not exist; did you mean confirmTitle?';
  expect(b.log).toMatchObject([{ event: 'setting-unusable', fields: { reason } }]);
});

it('does not redeem invitations with an invalid key, and logs the reason', async () => {
  await b.deploy({ invites: INVITES, unusable: ['invites'] });
  const response = await ask('/api/invites/redeem', { token: 'x' }, { authorization: `Bearer ${KEY}` });
  expect([response.status, response.headers.get('cache-control')]).toEqual([503, 'private, no-store']);
  expect(b.log).toMatchObject([{ event: 'links-failed', fields: { reason: 'invites cannot be used' } }]);
});

describe('the reports of a mail provider', () => {
  const report = (secret: string) => ({ authorization: `Bearer ${secret}` });
  const bounce = { RecordType: 'Bounce', Type: 'HardBounce', Email: ADA, Details: 'smtp;550 5.1.1 User unknown' };

  it('mark people as bounced, if their secret is correct', async () => {
    await b.deploy({ mailEvents: { postmark: KEY } });
    const id = await b.signUp(ADA);
    await b.deliver(id);
    const state = async () => (await b.db.doc(`email_signups/${id}`).get()).get('state');
    expect((await ask('/api/mail-events/postmark', bounce, report('wrong'))).status).toBe(401);
    expect((await ask('/api/mail-events/resend', bounce, report(KEY))).status).toBe(404);
    expect(await state()).toBe('subscribed');
    expect((await ask('/api/mail-events/postmark', bounce, report(KEY))).status).toBe(200);
    expect(await state()).toBe('bounced');
  });

  it('are not accepted unless a provider is set, and are the only failure if its secret is invalid', async () => {
    expect((await ask('/api/mail-events/postmark', bounce, report(KEY))).status).toBe(404);
    await b.deploy({ mailEvents: { postmark: 'short' } });
    expect((await ask('/api/mail-events/postmark', bounce, report('short'))).status).toBe(503);
    expect((await ask('/confirm')).status).toBe(200);
    expect(b.log).toContainEqual(
      expect.objectContaining({
        event: 'links-failed',
        fields: { reason: expect.stringContaining('mailEvents.postmark (POSTMARK_WEBHOOK_KEY) must have at least 32') },
      }),
    );
  });
});
