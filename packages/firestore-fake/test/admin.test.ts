import { deleteApp, initializeApp } from 'firebase-admin/app';
import { type Firestore, getFirestore } from 'firebase-admin/firestore';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';

const ALREADY_EXISTS = 6;

let fake: FirestoreFake;
let db: Firestore;
let stopApp: () => Promise<void>;

beforeAll(async () => {
  fake = await startFirestoreFake();
  process.env.FIRESTORE_EMULATOR_HOST = fake.grpcHost;
  // Stops the SDK from looking for Google's metadata server.
  process.env.METADATA_SERVER_DETECTION = 'none';
  const app = initializeApp({ projectId: 'demo-early-access' });
  db = getFirestore(app);
  stopApp = () => deleteApp(app);
});
afterAll(async () => {
  delete process.env.FIRESTORE_EMULATOR_HOST;
  await stopApp();
  await fake.stop();
});
beforeEach(() => {
  fake.faults.always(null);
  fake.store.clear();
  fake.calls.reset();
});

test('one of many concurrent creates of a document succeeds', async () => {
  const one = db.doc('things/one');
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => one.create({ n })));
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
  expect(failures).toEqual(Array.from({ length: 19 }, () => ALREADY_EXISTS));
  expect(fake.calls.writes).toBe(1);
});

describe('transactions', () => {
  test('20 concurrent increments add up without retries', async () => {
    const counter = db.doc('things/counter');
    let runs = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        db.runTransaction(async (transaction) => {
          runs += 1;
          const n: number = (await transaction.get(counter)).data()?.n ?? 0;
          transaction.set(counter, { n: n + 1 });
        }),
      ),
    );
    expect((await counter.get()).data()).toEqual({ n: 20 });
    expect(runs).toBe(20);
  });

  test('are retried if the result of their query changed', async () => {
    const things = db.collection('things');
    let runs = 0;
    await db.runTransaction(async (transaction) => {
      runs += 1;
      const { size } = await transaction.get(things.where('open', '==', true));
      if (runs === 1) await things.doc('late').create({ open: true });
      transaction.set(db.doc('totals/open'), { size });
    });
    expect((await db.doc('totals/open').get()).data()).toEqual({ size: 1 });
  });

  test('that fail write nothing and release their locks', async () => {
    const one = db.doc('things/one');
    const failing = db.runTransaction(async (transaction) => {
      await transaction.get(one);
      transaction.set(one, { n: 1 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    await one.create({ n: 2 });
    expect((await one.get()).data()).toEqual({ n: 2 });
  });
});

test('billed operations are counted', async () => {
  const things = db.collection('things');
  await things.doc('a').set({ n: 1 });
  await things.doc('b').set({ n: 1 });
  await things.doc('a').get();
  await things.doc('none').get();
  await things.get();
  await things.where('n', '==', 2).get();
  await things.doc('a').delete();
  expect(fake.calls).toMatchObject({ documentReads: 5, writes: 2, deletes: 1, aggregationReads: 0 });
  for (let place = 0; place < 1001; place += 1) fake.store.put(`things/n${place}`, {});
  await things.count().get();
  expect(fake.calls).toMatchObject({ documentReads: 5, aggregationReads: 2 });
});

test('supports bulk writes and recursive deletes', async () => {
  const writer = db.bulkWriter();
  const results = Array.from({ length: 50 }, (_, n) => writer.set(db.doc(`things/${n}/parts/p`), { n }));
  await writer.close();
  expect(await Promise.all(results)).toHaveLength(50);
  await db.doc('other/kept').set({});
  await db.recursiveDelete(db.collection('things'));
  expect(fake.store.list('things/1/parts')).toEqual([]);
  expect(fake.store.list('other')).toHaveLength(1);
});
