import {
  addDoc,
  arrayRemove,
  arrayUnion,
  average,
  Bytes,
  collection,
  collectionGroup,
  count,
  deleteDoc,
  deleteField,
  doc,
  type Firestore,
  GeoPoint,
  getAggregate,
  getCount,
  getDoc,
  getDocs,
  increment,
  maximum,
  minimum,
  query,
  runTransaction,
  serverTimestamp,
  setDoc,
  sum,
  Timestamp,
  updateDoc,
  where,
  writeBatch,
} from 'firebase/firestore/lite';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';
import { type LiteClient, liteClient } from './lite-client.ts';

const NOW = 1_700_000_000_123;

let fake: FirestoreFake;
let owner: LiteClient;
let db: Firestore;

beforeAll(async () => {
  fake = await startFirestoreFake({ now: () => NOW });
  owner = liteClient(fake, { mockUserToken: 'owner' });
  db = owner.db;
});
afterAll(async () => {
  await owner.close();
  await fake.stop();
});
beforeEach(() => {
  fake.store.clear();
  fake.calls.reset();
});

describe('documents', () => {
  test('store every type of value', async () => {
    const data = {
      nothing: null,
      yes: true,
      whole: 42,
      large: Number.MAX_SAFE_INTEGER,
      half: 0.5,
      nan: Number.NaN,
      infinite: Number.NEGATIVE_INFINITY,
      text: 'snow ☃ and 🦊',
      time: new Timestamp(1_700_000_000, 123_456_000),
      bytes: Bytes.fromUint8Array(new Uint8Array([0, 127, 255])),
      place: new GeoPoint(48.2, 16.4),
      other: doc(db, 'things/other'),
      list: [1, 'two', { three: 3 }],
      none: [],
      map: { deep: { er: [null] }, 'odd.name`': 1 },
      empty: {},
      constructor: 'a field like any other',
    };
    await setDoc(doc(db, 'things/one'), data);
    const read = await getDoc(doc(db, 'things/one'));
    expect(read.exists()).toBe(true);
    const { other, place, bytes, ...plain } = read.data() ?? {};
    const { other: _other, place: _place, bytes: _bytes, ...written } = data;
    expect(plain).toEqual(written);
    expect(other.path).toBe('things/other');
    expect(place.isEqual(data.place)).toBe(true);
    expect(bytes.isEqual(data.bytes)).toBe(true);
  });

  test('set replaces, merge preserves other fields, update changes and removes fields', async () => {
    const one = doc(db, 'things/one');
    await setDoc(one, { a: 1, b: { c: 2, d: 3 } });
    await setDoc(one, { b: { c: 20 } }, { merge: true });
    expect((await getDoc(one)).data()).toEqual({ a: 1, b: { c: 20, d: 3 } });
    await updateDoc(one, { a: deleteField(), 'b.d': deleteField(), 'b.e': 4 });
    expect((await getDoc(one)).data()).toEqual({ b: { c: 20, e: 4 } });
    await setDoc(one, { only: true });
    expect((await getDoc(one)).data()).toEqual({ only: true });
    await deleteDoc(one);
    expect((await getDoc(one)).exists()).toBe(false);
  });

  test('all transforms of a write are applied, with the time of the fake’s clock', async () => {
    const one = doc(db, 'things/one');
    await setDoc(one, { count: 5, top: 3, low: 3, list: ['a', 'b'] });
    await updateDoc(one, {
      count: increment(2),
      top: maximum(7),
      low: minimum(7),
      list: arrayUnion('b', 'c'),
      at: serverTimestamp(),
      fresh: increment(1.5),
    });
    await updateDoc(one, { list: arrayRemove('a') });
    expect((await getDoc(one)).data()).toEqual({
      count: 7,
      top: 7,
      low: 3,
      list: ['b', 'c'],
      at: Timestamp.fromMillis(NOW),
      fresh: 1.5,
    });
  });

  test('updating a missing document fails with not-found', async () => {
    await expect(updateDoc(doc(db, 'things/none'), { a: 1 })).rejects.toMatchObject({ code: 'not-found' });
    expect(fake.store.list('things')).toEqual([]);
  });

  test('addDoc generates an id', async () => {
    const added = await addDoc(collection(db, 'things'), { a: 1 });
    expect(fake.store.get(added.path)?.fields).toEqual({ a: { integerValue: '1' } });
  });
});

test('a batch is atomic', async () => {
  const good = writeBatch(db).set(doc(db, 'things/a'), { n: 1 }).set(doc(db, 'things/b'), { n: 2 });
  await good.commit();
  expect(fake.store.list('things')).toHaveLength(2);
  const bad = writeBatch(db).set(doc(db, 'things/c'), { n: 3 }).delete(doc(db, 'things/a'));
  bad.update(doc(db, 'things/missing'), { n: 4 });
  await expect(bad.commit()).rejects.toMatchObject({ code: 'not-found' });
  expect(fake.store.list('things').map(({ name }) => name.slice(-1))).toEqual(['a', 'b']);
});

describe('transactions', () => {
  test('are retried if the document changed in the meantime', async () => {
    const one = doc(db, 'things/one');
    await setDoc(one, { n: 1 });
    let runs = 0;
    await runTransaction(db, async (transaction) => {
      runs += 1;
      const read = await transaction.get(one);
      if (runs === 1) await updateDoc(one, { n: 10 });
      transaction.update(one, { n: (read.data()?.n ?? 0) + 1 });
    });
    expect(runs).toBe(2);
    expect((await getDoc(one)).data()).toEqual({ n: 11 });
  });

  test('that only read are verified at the commit', async () => {
    const one = doc(db, 'things/one');
    let runs = 0;
    const existed = await runTransaction(db, async (transaction) => {
      runs += 1;
      const read = await transaction.get(one);
      if (runs === 1) await setDoc(one, { n: 1 });
      return read.exists();
    });
    expect({ runs, existed }).toEqual({ runs: 2, existed: true });
  });
});

describe('queries', () => {
  beforeEach(async () => {
    const batch = writeBatch(db);
    batch.set(doc(db, 'things/a'), { n: 1, tags: ['x', 'y'], kind: 'one' });
    batch.set(doc(db, 'things/b'), { n: 2.5, tags: ['y'], kind: 'two' });
    batch.set(doc(db, 'things/c'), { n: 3, tags: [], kind: null });
    batch.set(doc(db, 'things/d'), { n: 'text', kind: 'two' });
    batch.set(doc(db, 'things/d/things/e'), { n: 9, kind: 'two' });
    await batch.commit();
    fake.calls.reset();
  });

  test('of a collection do not include subcollections', async () => {
    const own = await getDocs(collection(db, 'things'));
    expect(own.docs.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    const group = await getDocs(query(collectionGroup(db, 'things'), where('kind', '==', 'two')));
    expect(group.docs.map(({ ref }) => ref.path)).toEqual(['things/b', 'things/d', 'things/d/things/e']);
  });

  test('count, sum and average on the server', async () => {
    const things = collection(db, 'things');
    expect((await getCount(things)).data()).toEqual({ count: 4 });
    const numbers = await getAggregate(things, { total: sum('n'), mean: average('n'), all: count() });
    expect(numbers.data()).toEqual({ total: 6.5, mean: 6.5 / 3, all: 4 });
    const none = await getAggregate(query(things, where('n', '>', 99)), { total: sum('n'), mean: average('n') });
    expect(none.data()).toEqual({ total: 0, mean: null });
    expect(fake.calls).toMatchObject({ documentReads: 0, aggregationReads: 3 });
  });
});

test('billed operations are counted', async () => {
  const things = collection(db, 'things');
  await setDoc(doc(things, 'a'), { n: 1 });
  await setDoc(doc(things, 'b'), { n: 1 });
  await getDoc(doc(things, 'a'));
  await getDoc(doc(things, 'none'));
  await getDocs(things);
  await getDocs(query(things, where('n', '==', 2)));
  await deleteDoc(doc(things, 'a'));
  expect(fake.calls).toMatchObject({ documentReads: 5, writes: 2, deletes: 1, aggregationReads: 0 });
  const size = 1001;
  for (let start = 0; start < size; start += 500) {
    const batch = writeBatch(db);
    for (let place = start; place < Math.min(size, start + 500); place += 1) batch.set(doc(things, `n${place}`), {});
    await batch.commit();
  }
  await getCount(things);
  expect(fake.calls.aggregationReads).toBe(2);
});

test('without rules all anonymous access is denied', async () => {
  const anonymous = liteClient(fake);
  const denied = { code: 'permission-denied' };
  await expect(setDoc(doc(anonymous.db, 'things/a'), { n: 1 })).rejects.toMatchObject(denied);
  await expect(getDoc(doc(anonymous.db, 'things/a'))).rejects.toMatchObject(denied);
  await expect(getDocs(collection(anonymous.db, 'things'))).rejects.toMatchObject(denied);
  await expect(getCount(collection(anonymous.db, 'things'))).rejects.toMatchObject(denied);
  await anonymous.close();
});
