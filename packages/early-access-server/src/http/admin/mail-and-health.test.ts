import { signupOf } from '@early-access-kit/testkit/records';
import { startMailServer } from '@early-access-kit/testkit/smtp-server';
import { HOUR_MS } from 'early-access-kit/internal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatUtc } from '../../app/text/dates.ts';
import { type AdminHarness, adminHarness } from '../../fixtures/admin-harness.ts';
import { ADMIN_EMAIL } from '../../fixtures/app-harness.ts';
import { claimNext } from '../../fixtures/temp-store.ts';
import { smtpTransport } from '../../mail/transports/smtp-transport.ts';
import { createEarlyAccess } from '../application/early-access.ts';
import type { HealthResponse, MailResponse, UnknownMailResponse } from '../routing/schemas/server.ts';

async function read<T>({ request }: AdminHarness, path: string, cookie: string): Promise<T> {
  const response = await request('GET', path, { cookie });
  expect(response.status).toBe(200);
  return JSON.parse(await response.text());
}

describe('GET /mail', () => {
  it('shows the queue, the quota, and why messages are not sent', async () => {
    const harness = adminHarness();
    const { store, clock } = harness;
    const cookie = await harness.signIn();
    for (const email of ['ada@example.org', 'bob@example.org', 'eve@example.org']) {
      await store.createSignup(signupOf({ email }));
    }
    const message = await claimNext(store.mails);
    if (message) await store.mails.recordOutcome(message, { state: 'failed', reason: '550 5.1.1 (RCPT TO)' });
    expect(await read<MailResponse>(harness, '/admin/mail', cookie)).toEqual({
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
});

describe('emails whose outcome is unknown', () => {
  it('are listed with who they are to, and decided about one by one, which is in the audit log', async () => {
    const harness = adminHarness();
    const { store, clock, request } = harness;
    const cookie = await harness.signIn();
    for (const email of ['ada@example.org', 'bob@example.org', 'eve@example.org']) {
      await store.createSignup(signupOf({ email }));
      await claimNext(store.mails);
    }
    clock.now += HOUR_MS;
    await store.mails.expireLeases();
    const listed = async () => (await read<UnknownMailResponse>(harness, '/admin/mail/unknown', cookie)).messages;
    const [ada, bob, eve] = await listed();
    expect([ada?.email, bob?.email, eve?.email]).toEqual(['ada@example.org', 'bob@example.org', 'eve@example.org']);
    const decide = async (id: string | undefined, decision: string) =>
      request('POST', `/admin/mail/unknown/${id}`, { cookie, body: { decision } });
    expect((await decide(ada?.id, 'sent')).status).toBe(204);
    expect((await decide(bob?.id, 'again')).status).toBe(204);
    const late = await decide(bob?.id, 'sent');
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('is already known')]);
    expect((await decide(eve?.id, 'leave')).status).toBe(400);
    expect(await listed()).toEqual([eve]);
    await store.list.changePerson('eve@example.org', 'unsubscribe', 'person');
    expect(await (await decide(eve?.id, 'again')).text()).toContain('may no longer receive this email');
    expect((await read<MailResponse>(harness, '/admin/mail', cookie)).counts).toMatchObject({ sent: 1, queued: 1 });
    const actions = (await store.admin.audit(9)).map(({ action }) => action);
    expect(actions.slice(0, 2)).toEqual(['unknown-mail-again', 'unknown-mail-sent']);
    const filtered = await read<UnknownMailResponse>(harness, '/admin/mail/unknown?campaign=1', cookie);
    expect(filtered.messages).toEqual([]);
  });
});

describe('while the mail server refuses our emails', () => {
  const reason = '554 5.7.1 <[address]>: Relay access denied (RCPT TO)';

  async function pausedHarness() {
    const harness = adminHarness();
    const cookie = await harness.signIn();
    for (const email of ['ada@example.org', 'bob@example.org']) await harness.store.createSignup(signupOf({ email }));
    const { mails } = harness.store;
    const message = await claimNext(mails);
    const retryAt = harness.clock.now + 1_000;
    if (message) await mails.recordOutcome(message, { state: 'queued', retryAt, reason, refusal: 'our-problem' });
    return { ...harness, cookie, mail: (query = '') => read<MailResponse>(harness, `/admin/mail${query}`, cookie) };
  }

  it('says what it said, what to do and when the queue continues', async () => {
    const harness = await pausedHarness();
    const until = harness.clock.now + 60_000;
    const { pause, next_due_at, counts } = await harness.mail();
    expect(pause).toEqual({
      since: harness.clock.now,
      until,
      refusals: 1,
      reason,
      advice: expect.stringContaining('Check the user name and the password in SMTP_URL'),
    });
    expect([next_due_at, counts.queued]).toEqual([until, 2]);
    const { issues } = await read<HealthResponse>(harness, '/admin/health', harness.cookie);
    expect(issues[0]).toEqual({ severity: 'error', message: expect.stringContaining(reason) });
  });

  it('says that the mail server cannot be reached, since when, how many emails wait and when the next attempt is', async () => {
    const harness = adminHarness();
    const cookie = await harness.signIn();
    for (const email of ['ada@example.org', 'bob@example.org']) await harness.store.createSignup(signupOf({ email }));
    const { mails } = harness.store;
    const since = harness.clock.now;
    const message = await claimNext(mails);
    const outcome = {
      state: 'queued',
      retryAt: since + 30_000,
      reason: 'ECONNREFUSED',
      refusal: 'unreachable',
    } as const;
    if (message) await mails.recordOutcome(message, outcome);
    const { trouble, pause, next_due_at, counts } = await read<MailResponse>(harness, '/admin/mail', cookie);
    expect(trouble).toEqual({
      kind: 'unreachable',
      since,
      reason: 'ECONNREFUSED',
      advice: expect.stringContaining('Check the server and the port in SMTP_URL'),
    });
    expect([pause, next_due_at, counts.queued]).toEqual([null, since + 1_000, 2]);
    const { issues } = await read<HealthResponse>(harness, '/admin/health', cookie);
    const next = formatUtc(since + 1_000);
    expect(issues[0]?.message).toMatch(/has been unreachable since .*: ECONNREFUSED\./);
    expect(issues[0]?.message).toContain(`Waiting: 2 emails. The next attempt is at ${next}.`);
    expect(JSON.stringify([trouble, issues])).not.toContain('@example.org');
    const other = await claimNext(mails);
    if (other) await mails.recordOutcome(other, { state: 'sent' });
    expect((await read<MailResponse>(harness, '/admin/mail', cookie)).trouble).toBeNull();
  });

  it('lets the admin have the next email tried now, and says so in the audit log', async () => {
    const { request, cookie, store, clock, mail } = await pausedHarness();
    for (const audited of [1, 1]) {
      expect((await request('POST', '/admin/mail/resume', { cookie })).status).toBe(204);
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

  it.each([
    ['a server that cannot be found', 'smtp://does-not-exist.invalid:25', 'Check the name of the server in SMTP_URL'],
    ['a server that does not listen', 'smtp://127.0.0.1:1', 'refuses connections'],
  ])('says in plain words what is wrong with %s', async (_, url, explanation) => {
    const transport = smtpTransport({ url, timeoutMs: 5_000 });
    const { request, signIn } = adminHarness({
      deliver: (email) =>
        email.subject.startsWith('Test') ? transport.deliver(email) : Promise.resolve({ outcome: 'sent' }),
    });
    const response = await request('POST', '/admin/mail/test', { cookie: await signIn() });
    expect(await response.json()).toEqual({ outcome: 'refused', explanation: expect.stringContaining(explanation) });
  });

  it('reports a conversation with a mail server', async () => {
    const server = await startMailServer();
    onTestFinished(() => server.close());
    const transport = smtpTransport({ url: server.url });
    const { request, signIn } = adminHarness({ deliver: (email) => transport.deliver(email) });
    const response = await request('POST', '/admin/mail/test', { cookie: await signIn() });
    expect(await response.json()).toMatchObject({ outcome: 'sent' });
    expect(server.recipients).toEqual([ADMIN_EMAIL, ADMIN_EMAIL]);
  });

  it('is refused without mail, and limited', async () => {
    const { request, signIn, store } = adminHarness();
    const cookie = await signIn();
    const statuses = [];
    for (let turn = 0; turn < 6; turn += 1) {
      statuses.push((await request('POST', '/admin/mail/test', { cookie })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const unmailed = createEarlyAccess({ store, adminEmail: ADMIN_EMAIL });
    const headers = { cookie, 'content-type': 'application/json' };
    const url = 'http://localhost:4173/api/admin/mail/test';
    expect((await unmailed.fetch(new Request(url, { method: 'POST', headers, body: '{}' }))).status).toBe(400);
  });
});

describe('GET /health', () => {
  const readIssues = async (harness: AdminHarness) => {
    const { issues } = await read<HealthResponse>(harness, '/admin/health', await harness.signIn());
    return issues.map(({ message }) => message).join('\n');
  };

  it('tells the facts', async () => {
    const harness = adminHarness();
    const cookie = await harness.signIn();
    const before = await read<HealthResponse>(harness, '/admin/health', cookie);
    expect(before).toMatchObject({ store: 'sqlite', retention_days: 395, last_backup_at: null, limits_hit: {} });
    expect(before.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(before.database_bytes).toBeGreaterThan(0);
    expect(before.disk_free_bytes).toBeGreaterThan(0);
    expect(before.issues.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^There is no backup/));
    await harness.store.recordBackup();
    expect((await read<HealthResponse>(harness, '/admin/health', cookie)).last_backup_at).toBe(harness.clock.now);
  });

  it('lists nothing to fix on a server in good order', async () => {
    const harness = adminHarness({ publicUrl: new URL('https://acme.example') });
    await harness.store.recordBackup();
    expect(await readIssues(harness)).toBe('');
  });

  it('says that links lead to localhost, that emails go to files and that a backup is old', async () => {
    const harness = adminHarness({ publicUrl: undefined, mailFolder: '/nowhere' });
    await harness.store.recordBackup();
    harness.clock.now += 8 * 86_400_000;
    const issues = await readIssues(harness);
    expect(issues).toContain('PUBLIC_URL is not set: links in emails lead to localhost.');
    expect(issues).toContain('SMTP_URL is not set');
    expect(issues).toContain('The last backup is 8 days old');
  });

  it('counts the limits that were hit and the emails that failed, and warns of plain http', async () => {
    const harness = adminHarness({ publicUrl: new URL('http://acme.example') });
    await harness.store.createSignup(signupOf());
    const message = await claimNext(harness.store.mails);
    if (message) await harness.store.mails.recordOutcome(message, { state: 'failed', reason: '550' });
    for (let turn = 0; turn < 12; turn += 1) {
      await harness.request('POST', '/admin/session', { body: { token: 'x' }, client: '192.0.2.99' });
    }
    const cookie = await harness.signIn();
    const { limits_hit, issues } = await read<HealthResponse>(harness, '/admin/health', cookie);
    expect(limits_hit).toEqual({ signIns: 2 });
    const messages = issues.map(({ message }) => message).join('\n');
    expect(messages).toContain('1 email failed');
    expect(messages).toContain('PUBLIC_URL is not https');
  });

  it('counts the signups that a mistake of the page refuses, and logs each reason once an hour, with the fix', async () => {
    const harness = adminHarness({ fields: { company: { type: 'text', label: 'Company' } } });
    const signUp = () => harness.request('POST', '/signups', { body: signupOf({ fields: { size: '7' } }) });
    for (const _ of [1, 2]) expect((await signUp()).status).toBe(400);
    harness.clock.now += HOUR_MS;
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
    expect(harness.log.filter(({ event }) => event === 'signup-refused')).toEqual([line, line]);
    const { signups_refused, issues } = await read<HealthResponse>(harness, '/admin/health', await harness.signIn());
    expect(signups_refused).toEqual({ fields: 3 });
    expect(issues.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(
        /^Refused since the start: 3 signups\. The fields that the page sends differ from those declared on the server\./,
      ),
    );
  });

  it('says that the application is mounted wrongly, and that nothing sends emails', async () => {
    const harness = adminHarness();
    const cookie = await harness.signIn();
    await harness.app.fetch(new Request('http://localhost:4173/app/api/signups', { method: 'POST' }));
    await harness.app.fetch(new Request('http://localhost:4173/api/unsubscribe', { method: 'POST' }));
    await harness.store.createSignup(signupOf());
    harness.clock.now += 599_000;
    const early = await read<HealthResponse>(harness, '/admin/health', cookie);
    expect(early.issues).toContainEqual({
      severity: 'warning',
      message: expect.stringMatching(/^Signups arrive below/),
    });
    expect(early.issues).toContainEqual({
      severity: 'warning',
      message: expect.stringMatching(/share the rate limits/),
    });
    harness.clock.now += 1_000;
    const [first] = (await read<HealthResponse>(harness, '/admin/health', cookie)).issues;
    expect(first).toEqual({
      severity: 'error',
      message: expect.stringMatching(/nothing sends them\. Call start\(\)/),
    });
    await harness.app.runJobs();
    const { issues } = await read<HealthResponse>(harness, '/admin/health', cookie);
    expect(issues.filter(({ message }) => message.includes('nothing sends them'))).toEqual([]);
  });

  it('puts errors first', async () => {
    const harness = adminHarness({ publicUrl: undefined });
    const cookie = await harness.signIn();
    harness.store.ping = () => {
      throw new Error('the disk is full');
    };
    const { issues } = await read<HealthResponse>(harness, '/admin/health', cookie);
    expect(issues[0]).toEqual({
      severity: 'error',
      message: 'The database does not accept signups: the disk is full.',
    });
  });
});

it('GET /audit shows what admins did, the newest first', async () => {
  const harness = adminHarness();
  const cookie = await harness.signIn();
  await harness.request('POST', '/admin/mail/test', { cookie });
  const { entries } = await read<{ entries: { action: string }[] }>(harness, '/admin/audit', cookie);
  expect(entries.map(({ action }) => action)).toEqual(['test-mail', 'sign-in']);
  expect((await harness.request('GET', '/admin/audit?limit=0', { cookie })).status).toBe(400);
});

it('GET /brand is public', async () => {
  const { request } = adminHarness({ brand: { name: 'Acme', url: null, colors: { accent: '#0a7d4f' } } });
  const response = await request('GET', '/brand');
  expect([response.status, await response.json()]).toEqual([200, { name: 'Acme', colors: { accent: '#0a7d4f' } }]);
});
