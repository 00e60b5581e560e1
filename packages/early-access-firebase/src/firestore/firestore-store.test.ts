import { DAY_MS, HOUR_MS, MINUTE_MS } from 'early-access-kit/internal';
import { CONFIRM_LINK_MS, claimed, exampleSession, exampleSignup, updateOf } from 'early-access-server/fixtures';
import { SESSION_MAX_MS } from 'early-access-server/internal';
import { Timestamp } from 'firebase-admin/firestore';
import { describe, expect, it } from 'vitest';
import { firestoreOfFile } from '../fixtures/firestore.ts';
import { RETENTION_MS, signupId } from './database.ts';
import { firestoreStore } from './firestore-store.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);

const database = await firestoreOfFile(NOW);
const { clock, readData: stored } = database;

const open = () => firestoreStore({ firestore: database.firestore, clock: () => clock.now });

/** Returns how long after `NOW` TTL policies delete each document of a collection; null for never. */
async function lifetimes(collection: string): Promise<(number | null)[]> {
  const { docs } = await database.firestore.collection(collection).get();
  return docs.map((document) => {
    const expiry: unknown = document.get('expires_at');
    return expiry instanceof Timestamp ? expiry.toMillis() - NOW : null;
  });
}

it('stores the expiry of each document for the TTL policies', async () => {
  const store = open();
  const session = exampleSession(NOW - HOUR_MS);
  await store.startSession(session);
  await store.createSignup(exampleSignup({ email: 'me@example.org', session_id: session.id }));
  await claimed(store);
  const age = NOW - session.session_start;
  expect(await lifetimes('sessions')).toEqual([RETENTION_MS - age]);
  expect(await lifetimes('visitors')).toEqual([RETENTION_MS - age]);
  expect(await lifetimes('mail_hours')).toEqual([7 * DAY_MS]);
  expect(await lifetimes('mailboxes')).toEqual([DAY_MS]);
  // An unsubscribe link works as long as the person is stored.
  expect(await lifetimes('person_tokens')).toEqual([null]);
  await store.createSignup(exampleSignup(), { confirm: true });
  await claimed(store);
  expect((await lifetimes('person_tokens')).toSorted()).toEqual([CONFIRM_LINK_MS + 60 * DAY_MS, null, null]);
  await store.erase('me@example.org');
  expect(await lifetimes('erased_sessions')).toEqual([RETENTION_MS]);

  await store.admin.addSignInToken({ hash: 'first', email: 'ada@example.com', expires_at: NOW + 10 });
  expect(await lifetimes('admin_sign_in_tokens')).toEqual([10]);
  await store.admin.redeemSignInToken('first', { id: '1', hash: 'session-1', device: 'Firefox' });
  expect([await lifetimes('admin_sign_in_tokens'), await lifetimes('admin_sessions')]).toEqual([[], [SESSION_MAX_MS]]);
  await store.humanTokens.claim('hash', 'purpose', NOW + 20);
  expect(await lifetimes('human_tokens')).toEqual([20]);
  await store.apiKeys.claimRequest({ hash: 'hash', api_key: 'key', request: 'request' });
  expect(await lifetimes('idempotency_keys')).toEqual([DAY_MS]);
});

it('counts uses of an API key in several documents, and updates the time of the last use once a minute', async () => {
  const store = open();
  await store.apiKeys.add({ hash: 'hash', name: 'Reports', scopes: ['people'] });
  const use = () => store.apiKeys.recordUse('hash', { action: 'api-key-used', route: 'GET /people' });
  for (let uses = 0; uses < 30; uses += 1) await use();
  const { docs } = await database.firestore.collection('admin_audit').where('uses', '>', 0).get();
  expect(docs.length).toBeGreaterThan(1);
  expect(docs.reduce((sum, document) => sum + Number(document.get('uses')), 0)).toBe(30);
  clock.now += MINUTE_MS - 1;
  await use();
  expect(await stored('api_keys/hash')).toMatchObject({ last_used_at: NOW });
  clock.now += 1;
  await use();
  expect(await stored('api_keys/hash')).toMatchObject({ last_used_at: NOW + MINUTE_MS });
});

it('stores a visitor for as long as a browser wants, with the time of their latest session', async () => {
  const store = open();
  const later = exampleSession(NOW - HOUR_MS);
  const earlier = { ...exampleSession(later.session_start - 1), visitor_id: later.visitor_id };
  const visitor = database.firestore.doc(`visitors/${later.visitor_id}`);
  const expires_at = Timestamp.fromMillis(NOW + 2 * RETENTION_MS);
  await visitor.set({ last_seen: 1, expires_at });
  await store.startSession(later);
  await store.startSession(earlier);
  expect((await visitor.get()).data()).toEqual({ last_seen: later.session_start, expires_at });
});

it('says that Firestore failed with the class and the code of the failure, and names no document', async () => {
  const store = open();
  for (const work of [
    () => store.createSignup(exampleSignup()),
    () => store.humanTokens.claim('hash', 'purpose', NOW + 1),
  ]) {
    database.faults.next({ verb: 'commit', status: 403 });
    await expect(work()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/Firestore failed: Error 7$/),
    });
  }
});

it('responds to a ping', async () => {
  await expect(open().ping()).resolves.toBeUndefined();
});

describe('a session', () => {
  it('has no end until it is known', async () => {
    const store = open();
    const session = exampleSession(NOW - HOUR_MS);
    await store.startSession(session);
    expect(await stored(`sessions/${session.id}`)).not.toHaveProperty('session_end');
  });

  it('cannot last longer than the time since its stored start, even if an update has an earlier one', async () => {
    const store = open();
    const session = exampleSession(NOW - 10_000);
    await store.startSession(session);
    const earlier = { ...session, session_start: NOW - HOUR_MS };
    await store.updateSession(session.id, updateOf(earlier, { total_duration: 3_000 }));
    const { total_duration } = (await stored(`sessions/${session.id}`)) ?? {};
    expect(total_duration).toBeLessThan(3_000);
  });

  it('is not searched for in the archive before it is a day old', async () => {
    const store = open();
    const countReads = async (age: number) => {
      const session = exampleSession(clock.now);
      await store.startSession(session);
      clock.now += age;
      await store.analytics.rollUp({ withinMs: 60_000 });
      return database.countReads(() => store.updateSession(session.id, updateOf(session)));
    };
    expect(await countReads(DAY_MS)).toBe(1);
    expect(await countReads(DAY_MS + 1)).toBeGreaterThan(1);
  });

  it('does not shorten the storage of its visitor', async () => {
    const session = exampleSession(NOW);
    const visitor = `visitors/${session.visitor_id}`;
    await database.firestore.doc(visitor).set({ last_seen: 1, expires_at: Timestamp.fromMillis(NOW + 1) });
    await open().startSession(session);
    expect(await lifetimes('visitors')).toEqual([RETENTION_MS]);
  });
});

it('are pruned in batches that Firestore can commit', async () => {
  for (const numbers of [500, 1]) {
    const batch = database.firestore.batch();
    for (let number = 0; number < numbers; number += 1) {
      batch.create(database.firestore.doc(`sessions/${numbers}-${number}`), { session_start: NOW - DAY_MS });
    }
    await batch.commit();
  }
  expect(await open().prune(NOW, 1_000)).toBe(500);
  expect(await open().prune(NOW, 1_000)).toBe(1);
});

describe('erasing', () => {
  it('updates the record of the visitor to their previous session', async () => {
    const store = open();
    const earlier = exampleSession(NOW - HOUR_MS);
    const [later, latest] = [NOW - 2, NOW - 1].map((at) => ({
      ...exampleSession(at),
      visitor_id: earlier.visitor_id,
    }));
    if (!later || !latest) throw new Error('both are given');
    for (const session of [earlier, later, latest]) await store.startSession(session);
    await store.createSignup(exampleSignup({ email: 'me@example.org', session_id: latest.id }));
    await store.erase('me@example.org');
    expect(await stored(`visitors/${earlier.visitor_id}`)).toMatchObject({ last_seen: later.session_start });
    await store.createSignup(exampleSignup({ email: 'me@example.org', session_id: later.id }));
    await store.erase('me@example.org');
    expect(await stored(`visitors/${earlier.visitor_id}`)).toMatchObject({ last_seen: earlier.session_start });
  });

  it('removes the record of a visitor whose sessions are all erased at once', async () => {
    const store = open();
    const session = exampleSession(NOW - 1);
    const sessions = [session, { ...exampleSession(NOW - 2), visitor_id: session.visitor_id }];
    const email = 'me@example.org';
    for (const [index, one] of sessions.entries()) {
      await store.startSession(one);
      // The person unsubscribed, and a browser has signed them up again.
      const id = `${index === 0 ? 'left-' : ''}${signupId(email)}`;
      await database.firestore.doc(`email_signups/${id}`).create({ email, session_id: one.id });
    }
    expect(await database.list('visitors')).toHaveLength(1);
    await store.erase(email);
    expect([...(await database.list('sessions')), ...(await database.list('visitors'))]).toEqual([]);
  });

  it('removes the signup, and the record of the mailbox once it no longer counts, and nobody else', async () => {
    const domain = 'xn--mnchen-3ya.example';
    const other = `bob@${domain}`;
    for (const email of [other, `ada@${domain}`]) {
      await database.firestore.doc(`email_signups/${signupId(email)}`).create({ email, session_id: null });
    }
    const store = open();
    await store.mails.claim(signupId(`ada@${domain}`));
    expect(await database.readMessages()).toHaveLength(1);
    await store.erase(`ada@${domain}`);
    expect((await database.firestore.collection('email_signups').get()).docs.map(({ id }) => id)).toEqual([
      signupId(other),
    ]);
    clock.now += DAY_MS - 1;
    await store.erase(`ada@${domain}`);
    expect(await database.list('mailboxes')).toHaveLength(1);
    clock.now += 1;
    await store.erase(`ada@${domain}`);
    expect(await database.list('mailboxes')).toEqual([]);
  });
});
