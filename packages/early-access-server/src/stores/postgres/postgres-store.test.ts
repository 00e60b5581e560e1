import { HOUR_MS } from 'early-access-kit/internal';
import { expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../app/access/secrets.ts';
import { mailboxKey } from '../../app/lifecycle/mailbox.ts';
import { MAILBOX_MS, MAILBOX_SLACK_MS } from '../../app/mail/mail-quota.ts';
import { EVERYONE } from '../../app/people/people.ts';
import { openRaw, postgresForFile } from '../../fixtures/postgres.ts';
import { exampleSession, exampleSignup, updateOf } from '../../testing/examples.ts';
import { claimed } from '../../testing/harness.ts';
import { type PostgresStoreOptions, postgresStore } from './postgres-store.ts';

const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 2, 1, 14, 10);
const postgres = postgresForFile();

async function opened(options: Partial<PostgresStoreOptions> = {}) {
  const clock = { now: NOW };
  const url = await postgres().createDatabase();
  const store = postgresStore({ url, clock: () => clock.now, ...options });
  const raw = openRaw(url);
  onTestFinished(async () => {
    await store.close();
    await raw.end();
  });
  const readHashes = async (table: string) =>
    (await raw.unsafe(`SELECT hash FROM early_access.${table}`)).map(({ hash }) => hash);
  return { clock, store, raw, readHashes };
}

it('queues one email if admins send one at the same time to a person who has had none', async () => {
  const url = await postgres().createDatabase();
  const stores = [1, 2, 3].map(() => postgresStore({ url, welcomeEmail: false }));
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  await stores[0]?.createSignup(exampleSignup({ email: 'ada@example.org' }));
  expect(await Promise.all(stores.map((store) => store.mails.resend('ada@example.org')))).toEqual(
    stores.map(() => 'queued'),
  );
  expect(await stores[0]?.mails.counts()).toEqual(new Map([['queued', 1]]));
});

it('keeps no token and no session of an admin that has expired', async () => {
  const { clock, store, readHashes } = await opened();
  const signIn = async (hash: string) => {
    await store.admin.addSignInToken({ hash, email: 'ada@example.com', expires_at: clock.now + 10 });
    await store.humanTokens.claim(hash, 'purpose', clock.now + 10);
  };
  await signIn('first');
  await store.admin.redeemSignInToken('first', { id: '1', hash: 'session-1', device: 'Firefox' });
  await signIn('second');
  clock.now += 400 * DAY_MS;
  await signIn('third');
  expect([await readHashes('admin_sign_in_tokens'), await readHashes('human_tokens')]).toEqual([['third'], ['third']]);
  await store.admin.redeemSignInToken('third', { id: '2', hash: 'session-2', device: 'Firefox' });
  expect(await readHashes('admin_sessions')).toEqual(['session-2']);
});

it('stores the newest Idempotency-Keys of an API key only', async () => {
  const { clock, store, readHashes } = await opened({ auditEntries: 2 });
  for (const hash of ['a1', 'a2', 'b1', 'a3']) {
    clock.now += 1;
    await store.apiKeys.claimRequest({ hash, api_key: hash.slice(0, 1), request: 'request' });
  }
  expect((await readHashes('idempotency_keys')).toSorted()).toEqual(['a2', 'a3', 'b1']);
});

it('removes the hash of an erased session after the retention, and not before', async () => {
  const { clock, store, raw } = await opened();
  const { id } = exampleSession(1);
  await store.createSignup(exampleSignup({ email: 'me@example.org', session_id: id }));
  await store.erase('me@example.org');
  const hashes = async () =>
    (await raw`SELECT id_hash FROM early_access.erased_sessions`).map(({ id_hash }) => id_hash);
  expect([await store.prune(clock.now, 10), await hashes()]).toEqual([0, [sha256(id)]]);
  expect([await store.prune(clock.now + 1, 10), await hashes()]).toEqual([1, []]);
});

it('remembers the hash of a mailbox until the messages to it no longer count, also if the person is erased', async () => {
  const { clock, store, raw } = await opened();
  await store.createSignup(exampleSignup({ email: 'me+news@example.org' }));
  await claimed(store);
  await store.erase('me+news@example.org');
  const mailboxes = async () =>
    (await raw`SELECT mailbox FROM early_access.mailbox_attempts`).map(({ mailbox }) => mailbox);
  clock.now += MAILBOX_MS + MAILBOX_SLACK_MS - 1;
  expect([await store.mails.expireLeases(), await mailboxes()]).toEqual([0, [mailboxKey('me@example.org')]]);
  clock.now += 1;
  expect([await store.mails.expireLeases(), await mailboxes()]).toEqual([0, []]);
});

it('stores what sessions and signups count as once, and nothing of it after the last of them', async () => {
  const { clock, store, raw } = await opened();
  const origin = { utm_source: 'news', landing_path: '/join' };
  const count = async (table: string) =>
    Number((await raw.unsafe(`SELECT count(*) AS rows FROM early_access.${table}`))[0]?.rows);
  const visitors = ['ada@example.org', 'bob@example.org', 'eve@example.org'];
  for (const email of visitors) {
    const session = exampleSession(clock.now, origin);
    await store.startSession(session);
    await store.updateSession(session.id, updateOf(session, { page_count: 2, page_path: '/b' }));
    await store.createSignup(exampleSignup({ email, session_id: session.id }));
  }
  await store.createSignup(exampleSignup({ email: 'me@example.org', utm_source: 'own' }));
  const tables = ['traffic_sources', 'analytics_days', 'analytics_pages', 'analytics_values'];
  const countAll = () => Promise.all(tables.map(count));
  // Two values of sessions, one of the signup alone, and a page.
  expect(await countAll()).toEqual([2, 2, 1, 4]);
  for (const email of ['me@example.org', ...visitors]) await store.erase(email);
  expect(await countAll()).toEqual([0, 0, 0, 0]);
});

it('writes no session that has not changed', async () => {
  const { store, raw } = await opened();
  const [session, other] = [exampleSession(1), exampleSession(2)];
  const rowVersion = async () => (await raw`SELECT xmin::text FROM early_access.sessions WHERE id = ${session.id}`)[0];
  await store.startSession(session);
  const version = await rowVersion();
  await Promise.all([store.startSession(session), store.startSession(other)]);
  expect(await rowVersion()).toEqual(version);
});

it('says whether what is due is being claimed, or waits for its mailbox, or nothing is due', async () => {
  const { store, raw } = await opened();
  const claim = () => store.mails.due().claimNext();
  expect(await claim()).toBe('nothing');
  for (const tag of 'abcd') await store.createSignup(exampleSignup({ email: `victim+${tag}@example.org` }));
  for (let message = 1; message <= 3; message += 1) expect(await claim()).toMatchObject({ attempts: 1 });
  expect([await claim(), await claim()]).toEqual(['mailbox-full', 'nothing']);
  await store.createSignup(exampleSignup());
  await raw.begin(async (tx) => {
    await tx`SELECT id FROM early_access.mails FOR UPDATE`;
    expect(await claim()).toBe('taken');
  });
  expect(await claim()).toMatchObject({ attempts: 1 });
});

it('stores where sessions come from once for all days', async () => {
  const { clock, store, raw } = await opened();
  for (let day = 0; day < 3; day += 1) {
    await store.startSession(exampleSession(clock.now));
    clock.now += DAY_MS;
  }
  expect(await raw`SELECT id FROM early_access.traffic_sources`).toHaveLength(1);
});

it('counts the attempts of a day', async () => {
  const { clock, store, raw } = await opened();
  for (let day = 0; day < 3; day += 1) {
    await store.createSignup(exampleSignup());
    await store.mails.due().claimNext();
    clock.now += DAY_MS;
  }
  const hours = await raw`SELECT hour FROM early_access.mail_hours ORDER BY hour`;
  expect(hours.map(({ hour }) => hour)).toEqual([1, 2].map((day) => NOW - (NOW % HOUR_MS) + day * DAY_MS));
});

it('lists thousands of messages that are not sent', async () => {
  const { store, raw } = await opened();
  await store.ping();
  await raw`
    INSERT INTO early_access.mails (recipient, kind, message_key, next_attempt_at, changed_at)
    SELECT 'p' || n || '@example.org', 'notice', n, ${NOW}, ${NOW} FROM generate_series(1, 2000) AS n
  `;
  const unsent = await Array.fromAsync(store.mails.unsent());
  expect(unsent.map(({ email }) => email)).toEqual(
    Array.from({ length: 2_000 }, (_, index) => `p${index + 1}@example.org`),
  );
});

it('exports thousands of people in their order', async () => {
  const { store, raw } = await opened();
  const before = Number((await store.facts()).database_bytes);
  await raw`
    INSERT INTO early_access.email_signups (email, source, submission_id, created_at, traffic_source_id, person_id)
    SELECT 'p' || n || '@example.org', 'landing_page', 'submission-' || n, ${NOW}, 1, 'person-' || n FROM generate_series(1, 2000) AS n
  `;
  const emails = Array.from({ length: 2_000 }, (_, index) => `p${index + 1}@example.org`);
  const listEmails = async <Row extends { readonly email: string }>(rows: AsyncIterable<Row> | Iterable<Row>) =>
    (await Array.fromAsync(rows)).map(({ email }) => email);
  expect(await listEmails(store.signups())).toEqual(emails);
  expect(await listEmails(store.people.all(EVERYONE))).toEqual(emails);
  expect((await store.facts()).database_bytes).toBeGreaterThan(before);
  expect(await store.facts()).toMatchObject({ store: 'postgres', disk_free_bytes: null, last_backup_at: null });
});
