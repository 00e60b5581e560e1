import { deleteApp, initializeApp } from 'firebase-admin/app';
import {
  AggregateField,
  FieldPath,
  FieldValue,
  type Firestore,
  getFirestore,
  Timestamp,
} from 'firebase-admin/firestore';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';

const NOW = 1_700_000_000_123;
const ALREADY_EXISTS = 6;

let fake: FirestoreFake;
let db: Firestore;
let stopApp: () => Promise<void>;

beforeAll(async () => {
  fake = await startFirestoreFake({ now: () => NOW });
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

test('supports all values and field operations', async () => {
  const one = db.doc('things/one');
  const data = {
    whole: 42,
    half: 0.5,
    nan: Number.NaN,
    text: '☃',
    time: new Timestamp(1_700_000_000, 123_456_000),
    bytes: Buffer.from([0, 255]),
    list: [1, { two: 2 }],
    empty: {},
    nothing: null,
    other: db.doc('things/other'),
  };
  await one.set(data);
  expect((await one.get()).data()).toEqual(data);
  await one.set({ at: FieldValue.serverTimestamp(), whole: FieldValue.increment(1) }, { merge: true });
  await one.update({ list: FieldValue.arrayUnion('c'), half: FieldValue.delete(), 'empty.full': true });
  const read = (await one.get()).data();
  expect(read?.at).toEqual(Timestamp.fromMillis(NOW));
  expect(read).toMatchObject({ whole: 43, list: [1, { two: 2 }, 'c'], empty: { full: true } });
  expect(read).not.toHaveProperty('half');
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

  test('are retried after ABORTED', async () => {
    fake.faults.next({ status: 409, verb: 'commit' });
    let runs = 0;
    await db.runTransaction(async (transaction) => {
      runs += 1;
      await transaction.get(db.doc('things/one'));
      transaction.create(db.doc('things/one'), { runs });
    });
    expect(fake.store.get('things/one')?.fields).toEqual({ runs: { integerValue: '2' } });
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

  test('that are read-only see one snapshot', async () => {
    const [a, b] = [db.doc('things/a'), db.doc('things/b')];
    await db.batch().set(a, { n: 1 }).set(b, { n: 1 }).commit();
    const seen = await db.runTransaction(
      async (transaction) => {
        const first = (await transaction.get(a)).data()?.n;
        await db.batch().set(a, { n: 2 }).set(b, { n: 2 }).commit();
        return [first, (await transaction.get(b)).data()?.n];
      },
      { readOnly: true },
    );
    expect(seen).toEqual([1, 1]);
  });
});

describe('queries', () => {
  beforeEach(async () => {
    const batch = db.batch();
    for (const n of [1, 2, 3, 4, 5]) batch.set(db.doc(`things/${n}`), { n, odd: n % 2 === 1 });
    batch.set(db.doc('things/none'), { odd: true });
    await batch.commit();
  });

  test('filter, order, select and page', async () => {
    const odd = db.collection('things').where('odd', '==', true).orderBy('n', 'desc').select('n');
    expect((await odd.get()).docs.map((read) => read.data())).toEqual([{ n: 5 }, { n: 3 }, { n: 1 }]);
    const [, second] = (await odd.get()).docs;
    expect(second === undefined ? [] : (await odd.startAfter(second).get()).docs.map(({ id }) => id)).toEqual(['1']);
    expect((await odd.offset(1).limit(1).get()).docs.map(({ id }) => id)).toEqual(['3']);
    const byId = db.collection('things').where(FieldPath.documentId(), 'in', ['2', 'none']);
    expect((await byId.get()).docs.map(({ id }) => id)).toEqual(['2', 'none']);
    const lastTwo = db.collection('things').orderBy('n').limitToLast(2);
    expect((await lastTwo.get()).docs.map(({ id }) => id)).toEqual(['4', '5']);
  });

  test('aggregate without reading documents', async () => {
    fake.calls.reset();
    const totals = await db
      .collection('things')
      .where('n', '>', 1)
      .aggregate({ count: AggregateField.count(), sum: AggregateField.sum('n'), mean: AggregateField.average('n') })
      .get();
    expect(totals.data()).toEqual({ count: 4, sum: 14, mean: 3.5 });
    expect((await db.collection('things').limit(2).count().get()).data()).toEqual({ count: 2 });
    expect(fake.calls).toMatchObject({ documentReads: 0, aggregationReads: 2 });
  });
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

test('the document is stored even if the response to the commit is lost', async () => {
  fake.faults.next({ drop: 'after', verb: 'commit' });
  await expect(db.doc('things/one').create({ n: 1 })).rejects.toMatchObject({ code: ALREADY_EXISTS });
  expect(fake.store.list('things')).toHaveLength(1);
});
