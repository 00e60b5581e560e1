import { Timestamp } from 'firebase-admin/firestore';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SESSION_MAX_MS } from '../../app/admin/sign-in.ts';
import { CONFIRM_LINK_MS } from '../../app/mail/message-kinds.ts';
import { type FirestoreFixture, startFirestore } from '../../fixtures/firestore.ts';
import { exampleSession, exampleSignup } from '../../testing/examples.ts';
import { claimed } from '../../testing/harness.ts';
import { RETENTION_MS } from './database.ts';
import { firestoreStore } from './firestore-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 2, 1, 14, 10);

const clock = { now: NOW };
let database: FirestoreFixture;
beforeAll(async () => {
  database = await startFirestore(() => clock.now);
});
afterAll(() => database.close());
beforeEach(() => {
  clock.now = NOW;
  database.fake.store.clear();
});

const open = () => firestoreStore({ firestore: database.firestore, clock: () => clock.now });

/** How long after `NOW` TTL policies delete each document of a collection; null for never. */
async function lifetimes(collection: string): Promise<(number | null)[]> {
  const { docs } = await database.firestore.collection(collection).get();
  return docs.map((document) => {
    const expiry: unknown = document.get('expires_at');
    return expiry instanceof Timestamp ? expiry.toMillis() - NOW : null;
  });
}

it('stores with each document how long it is needed, for the TTL policies', async () => {
  const store = open();
  const session = exampleSession(NOW - HOUR_MS);
  await store.startSession(session);
  await store.createSignup(exampleSignup({ email: 'me@example.org', session_id: session.id }));
  await claimed(store);
  const age = NOW - session.session_start;
  expect(await lifetimes('sessions')).toEqual([RETENTION_MS - age]);
  expect(await lifetimes('visitors')).toEqual([RETENTION_MS - age]);
  expect(await lifetimes('mail_hours')).toEqual([7 * DAY_MS]);
  expect(await lifetimes('mailboxes')).toEqual([2 * DAY_MS]);
  // The link to unsubscribe works for as long as the person is stored.
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
});

it('keeps a visitor as long as a browser wants, and as of their latest session', async () => {
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

it('prunes sessions and their visitors in portions', async () => {
  const store = open();
  for (let index = 1; index <= 3; index += 1) await store.startSession(exampleSession(NOW - index));
  expect(await store.prune(NOW - DAY_MS, 10)).toBe(0);
  const removed = [await store.prune(NOW + 1, 2), await store.prune(NOW + 1, 2), await store.prune(NOW + 1, 2)];
  expect(removed).toEqual([4, 2, 0]);
});

it('says that Firestore failed with the class and the code of the failure, and names no document', async () => {
  database.fake.faults.next({ verb: 'commit', status: 403 });
  await expect(open().createSignup(exampleSignup())).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/Firestore failed: Error 7$/),
  });
});
