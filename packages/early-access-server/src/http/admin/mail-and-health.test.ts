import { signupOf } from '@early-access-kit/testkit/records';
import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { formatUtc } from '../../app/text/dates.ts';
import { adminHarness, readJson, signedIn } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { claimNext } from '../../fixtures/temp-store.ts';
import { deliver } from '../../testing/harness.ts';
import { createEarlyAccess } from '../application/early-access.ts';
import type { HealthResponse, MailResponse, UnknownMailResponse } from '../routing/schemas/server.ts';

/** An application with a signed-in admin and people who wait for their welcome email. */
async function harness(names: readonly string[] = [], options?: Parameters<typeof signedIn>[0]) {
  const admin = await signedIn(options);
  for (const name of names) await admin.store.createSignup(signupOf({ email: `${name}@example.org` }));
  const mail = (query = '') => readJson<MailResponse>(admin.get(`/mail${query}`));
  const health = async () =>
    readJson<HealthResponse>(admin.request('GET', '/admin/health', { cookie: await admin.signIn() }));
  return { ...admin, mail, health };
}

it('GET /mail shows the queue, the quota, and why messages are not sent', async () => {
  const { store, clock, mail } = await harness(['ada', 'bob', 'eve']);
  await deliver(store, { state: 'failed', reason: '550 5.1.1 (RCPT TO)' });
  expect(await mail()).toEqual({
    counts: { queued: 2, sending: 0, sent: 0, failed: 1, unknown: 0 },
    transport: 'smtp',
    quota: { per_hour: 200, spent_until: null },
    waiting: { due: 2, planned: 0, planned_at: null, of_paused_campaigns: 0 },
    pause: null,
    trouble: null,
    complaints: { since: clock.now - 7 * 86_400_000, emails: 0, complaints: 0, level: 'fine' },
    next_due_at: clock.now,
    unsent: [
      expect.objectContaining({
        email: 'ada@example.org',
        kind: 'welcome',
        state: 'failed',
        reason: '550 5.1.1 (RCPT TO)',
      }),
      expect.objectContaining({ email: 'bob@example.org', state: 'queued' }),
      expect.objectContaining({ email: 'eve@example.org', state: 'queued' }),
    ],
  });
});

describe('emails whose outcome is unknown', () => {
  it('are listed with who they are to, and decided about one by one, which is in the audit log', async () => {
    const { store, clock, get, post, mail } = await harness(['ada', 'bob', 'eve']);
    for (let turn = 0; turn < 3; turn += 1) await claimNext(store.mails);
    clock.now += HOUR_MS;
    await store.mails.expireLeases();
    const listed = async (query = '') => (await readJson<UnknownMailResponse>(get(`/mail/unknown${query}`))).messages;
    const [ada, bob, eve] = await listed();
    expect([ada?.email, bob?.email, eve?.email]).toEqual(['ada@example.org', 'bob@example.org', 'eve@example.org']);
    const decide = (id: string | undefined, decision: string) => post(`/mail/unknown/${id}`, { decision });
    expect((await decide(ada?.id, 'sent')).status).toBe(204);
    expect((await decide(bob?.id, 'again')).status).toBe(204);
    const late = await decide(bob?.id, 'sent');
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('is already known')]);
    expect((await decide(eve?.id, 'leave')).status).toBe(400);
    expect(await listed()).toEqual([eve]);
    await store.list.changePerson('eve@example.org', 'unsubscribe', 'person');
    expect(await (await decide(eve?.id, 'again')).text()).toContain('may no longer receive this email');
    expect((await mail()).counts).toMatchObject({ sent: 1, queued: 1 });
    const actions = (await store.admin.audit(9)).map(({ action }) => action);
    expect(actions.slice(0, 2)).toEqual(['unknown-mail-again', 'unknown-mail-sent']);
    expect(await listed('?campaign=1')).toEqual([]);
  });
});

describe('while the mail server refuses our emails', () => {
  const reason = '554 5.7.1 <[address]>: Relay access denied (RCPT TO)';

  async function pausedHarness() {
    const paused = await harness(['ada', 'bob']);
    const retryAt = paused.clock.now + 1_000;
    await deliver(paused.store, { state: 'queued', retryAt, reason, refusal: 'our-problem' });
    return paused;
  }

  it('says what it said, what to do and when the queue continues', async () => {
    const { clock, mail, health } = await pausedHarness();
    const until = clock.now + 60_000;
    const { pause, next_due_at, counts } = await mail();
    expect(pause).toEqual({
      since: clock.now,
      until,
      refusals: 1,
      reason,
      advice: expect.stringContaining('Check the user name and the password in SMTP_URL'),
    });
    expect([next_due_at, counts.queued]).toEqual([until, 2]);
    const { issues } = await health();
    expect(issues[0]).toEqual({ severity: 'error', message: expect.stringContaining(reason) });
  });

  it('says that the mail server cannot be reached, since when, how many emails wait and when the next attempt is', async () => {
    const { store, clock, mail, health } = await harness(['ada', 'bob']);
    const since = clock.now;
    const reason = 'ECONNREFUSED';
    await deliver(store, { state: 'queued', retryAt: since + 30_000, reason, refusal: 'unreachable' });
    const { trouble, pause, next_due_at, counts } = await mail();
    const advice = expect.stringContaining('Check the server and the port in SMTP_URL');
    expect(trouble).toEqual({ kind: 'unreachable', since, reason, advice });
    expect([pause, next_due_at, counts.queued]).toEqual([null, since + 1_000, 2]);
    const { issues } = await health();
    const next = formatUtc(since + 1_000);
    expect(issues[0]?.message).toMatch(/has been unreachable since .*: ECONNREFUSED\./);
    expect(issues[0]?.message).toContain(`Waiting: 2 emails. The next attempt is at ${next}.`);
    expect(JSON.stringify([trouble, issues])).not.toContain('@example.org');
    await deliver(store);
    expect((await mail()).trouble).toBeNull();
  });

  it('lets the admin have the next email tried now, and says so in the audit log', async () => {
    const { post, store, clock, mail } = await pausedHarness();
    for (const audited of [1, 1]) {
      expect((await post('/mail/resume')).status).toBe(204);
      const actions = (await store.admin.audit(9)).map(({ action }) => action);
      expect(actions.filter((action) => action === 'resume-mail')).toHaveLength(audited);
    }
    expect((await mail()).pause?.until).toBe(clock.now);
    expect(await claimNext(store.mails)).not.toBeNull();
  });

  it('lists the messages of one kind', async () => {
    const { mail, store } = await pausedHarness();
    await store.admin.queueWeeklyEmail('me@example.com', 1, { type: 'signups', signups: 1, since: 1 });
    expect((await mail()).unsent.map(({ kind }) => kind).toSorted()).toEqual(['notice', 'welcome', 'welcome']);
    expect((await mail('?kind=notice')).unsent).toMatchObject([{ email: 'me@example.com', kind: 'notice' }]);
  });
});

describe('POST /mail/test', () => {
  it('sends an email to the admin who asked and reports that the server accepted it', async () => {
    const { request, signIn, emails, store } = adminHarness({ adminEmail: `${ADMIN_EMAIL}, ada@example.com` });
    const cookie = await signIn('ada@example.com');
    const response = await request('POST', '/admin/mail/test', { cookie });
    expect(await response.json()).toEqual({
      outcome: 'sent',
      explanation: expect.stringContaining('The mail server accepted the email'),
    });
    expect(emails.at(-1)).toMatchObject({ to: 'ada@example.com', subject: 'Test email from Early access' });
    expect(await store.admin.audit(1)).toMatchObject([{ action: 'test-mail', count: 1 }]);
  });

  it('is refused without mail, and limited', async () => {
    const { post, cookie, store } = await signedIn();
    const statuses = [];
    for (let turn = 0; turn < 6; turn += 1) statuses.push((await post('/mail/test')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const unmailed = createEarlyAccess({ store, adminEmail: ADMIN_EMAIL });
    const headers = { cookie, 'content-type': 'application/json' };
    const url = 'http://localhost:4173/api/admin/mail/test';
    expect((await unmailed.fetch(new Request(url, { method: 'POST', headers, body: '{}' }))).status).toBe(400);
  });
});

describe('GET /health', () => {
  const joined = ({ issues }: HealthResponse) => issues.map(({ message }) => message).join('\n');

  it('tells the facts', async () => {
    const { store, clock, health } = await harness();
    const before = await health();
    expect(before).toMatchObject({ store: 'sqlite', retention_days: 395, last_backup_at: null, limits_hit: {} });
    expect(before.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(before.database_bytes).toBeGreaterThan(0);
    expect(before.disk_free_bytes).toBeGreaterThan(0);
    expect(joined(before)).toMatch(/^There is no backup/m);
    await store.recordBackup();
    expect((await health()).last_backup_at).toBe(clock.now);
  });

  it('lists nothing to fix on a server in good order', async () => {
    const { store, health } = await harness([], { publicUrl: new URL('https://acme.example') });
    await store.recordBackup();
    expect((await health()).issues).toEqual([]);
  });

  it('says that links lead to localhost, that emails go to files and that a backup is old', async () => {
    const { store, clock, health } = await harness([], { publicUrl: undefined, mailFolder: '/nowhere' });
    await store.recordBackup();
    clock.now += 8 * 86_400_000;
    const issues = joined(await health());
    expect(issues).toContain('PUBLIC_URL is not set: links in emails lead to localhost.');
    expect(issues).toContain('SMTP_URL is not set');
    expect(issues).toContain('The last backup is 8 days old');
  });

  it('counts the limits that were hit and the emails that failed, and warns of plain http', async () => {
    const { store, request, health } = await harness(['ada'], { publicUrl: new URL('http://acme.example') });
    await deliver(store, { state: 'failed', reason: '550' });
    for (let turn = 0; turn < 12; turn += 1)
      await request('POST', '/admin/session', { body: { token: 'x' }, client: '192.0.2.99' });
    const response = await health();
    expect(response.limits_hit).toEqual({ signIns: 2 });
    expect(joined(response)).toContain('1 email failed');
    expect(joined(response)).toContain('PUBLIC_URL is not https');
  });

  it('counts the signups that a mistake of the page refuses, and logs each reason once an hour, with the fix', async () => {
    const fields = { company: { type: 'text', label: 'Company' } } as const;
    const { request, clock, log, health } = await harness([], { fields });
    const signUp = () => request('POST', '/signups', { body: signupOf({ fields: { size: '7' } }) });
    for (const _ of [1, 2]) expect((await signUp()).status).toBe(400);
    clock.now += HOUR_MS;
    await signUp();
    const line = {
      level: 'warn',
      event: 'signup-refused',
      fields: {
        reason: 'fields',
        problem: expect.stringContaining('declare size on the server'),
        fix: expect.stringContaining('SIGNUP_FIELDS'),
      },
    };
    expect(log.filter(({ event }) => event === 'signup-refused')).toEqual([line, line]);
    const response = await health();
    expect(response.signups_refused).toEqual({ fields: 3 });
    expect(joined(response)).toMatch(
      /^Refused since the start: 3 signups\. The fields that the page sends differ from those declared on the server\./m,
    );
  });

  it('says that the application is mounted wrongly, and that nothing sends emails', async () => {
    const { app, store, clock, health } = await harness();
    await app.fetch(new Request('http://localhost:4173/app/api/signups', { method: 'POST' }));
    await app.fetch(new Request('http://localhost:4173/api/unsubscribe', { method: 'POST' }));
    await store.createSignup(signupOf());
    clock.now += 599_000;
    const warning = (text: RegExp) => ({ severity: 'warning', message: expect.stringMatching(text) });
    const early = (await health()).issues;
    expect(early).toContainEqual(warning(/^Signups arrive below/));
    expect(early).toContainEqual(warning(/share one rate limit/));
    clock.now += 1_000;
    const message = expect.stringMatching(/nothing sends them\. Call start\(\)/);
    expect((await health()).issues[0]).toEqual({ severity: 'error', message });
    await app.runJobs();
    expect(joined(await health())).not.toContain('nothing sends them');
  });
});

it('GET /audit shows what admins did, the newest first', async () => {
  const { get, post } = await signedIn();
  await post('/mail/test');
  const { entries } = await readJson<{ entries: { action: string }[] }>(get('/audit'));
  expect(entries.map(({ action }) => action)).toEqual(['test-mail', 'sign-in']);
  expect((await get('/audit?limit=0')).status).toBe(400);
});

it('GET /brand is public', async () => {
  const { request } = adminHarness({ brand: { name: 'Acme', url: null, colors: { accent: '#0a7d4f' } } });
  const response = await request('GET', '/brand');
  expect([response.status, await response.json()]).toEqual([200, { name: 'Acme', colors: { accent: '#0a7d4f' } }]);
});
