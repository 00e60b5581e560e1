import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type FirestoreFixture, startFirestore } from '../../fixtures/firestore.ts';
import { signupId } from './database.ts';
import { type FirestoreMailQueue, firestoreMailQueue } from './mail-queue.ts';

const LEASE_MS = 600_000;
/** Ten minutes past an hour. */
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

function queueOf(mailsPerHour: number): FirestoreMailQueue {
  return firestoreMailQueue({
    firestore: database.firestore,
    mailsPerHour,
    clock: () => clock.now,
    leaseMs: LEASE_MS,
    confirm: false,
  });
}

/** Stores a signup as a browser does. Returns its id. */
async function signUp(email: string): Promise<string> {
  const id = signupId(email);
  await database.firestore.doc(`email_signups/${id}`).create({ email });
  return id;
}

it('spreads the attempts of an hour over several documents', async () => {
  const mails = queueOf(7);
  const people = Array.from({ length: 9 }, (_, n) => `person-${n}@example.org`);
  const claims = await Promise.all((await Promise.all(people.map(signUp))).map(mails.claim));
  expect(claims.filter((claim) => claim === 'quota-spent')).toHaveLength(2);
  const counts = database.fake.store
    .list('mail_hours')
    .map(({ name, fields }) => [name.split('/').at(-1), fields?.attempts]);
  expect(counts).toEqual([
    ['2026-03-01T14-0', { integerValue: '2' }],
    ['2026-03-01T14-1', { integerValue: '2' }],
    ['2026-03-01T14-2', { integerValue: '2' }],
    ['2026-03-01T14-3', { integerValue: '1' }],
  ]);
});
