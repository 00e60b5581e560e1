import { afterAll, expect, it } from 'vitest';
import { startFirestore } from '../fixtures/firestore.ts';
import { changeAll, transact, withStorageErrors } from './database.ts';

const database = await startFirestore();
const { firestore } = database;
afterAll(() => database.close());

it('changes every document of a query, in several transactions', async () => {
  const documents = firestore.collection('numbers');
  const batch = firestore.batch();
  for (let number = 0; number < 450; number += 1) batch.create(documents.doc(String(number)), { is_new: number < 401 });
  await batch.commit();
  const fresh = documents.where('is_new', '==', true);
  const changed = await changeAll(fresh, (tx, { ref }) => tx.update(ref, { is_new: false }));
  expect(changed).toBe(401);
  expect((await fresh.get()).size).toBe(0);
});

it('runs a transaction again if a conflict has closed it', async () => {
  const failures = [Object.assign(new Error(`3 INVALID_ARGUMENT: Transaction is invalid or closed.`), { code: 3 })];
  const result = await transact(firestore, async (tx) => {
    await tx.get(firestore.doc('numbers/0'));
    const failure = failures.pop();
    if (failure) throw failure;
    return 'done';
  });
  expect(result).toBe('done');
});

it('does not repeat an invalid transaction', async () => {
  const failure = Object.assign(new Error('3 INVALID_ARGUMENT: a document name'), { code: 3 });
  let runs = 0;
  const asked = transact(firestore, async () => {
    runs += 1;
    throw failure;
  });
  await expect(asked).rejects.toBe(failure);
  expect(runs).toBe(1);
});

it.each([
  ['text', 'unknown'],
  [new RangeError('of a document'), 'RangeError'],
  [Object.assign(new Error('of a document'), { code: 7 }), 'Error 7'],
])('only contains the class and code of a failure: %s', async (failure, name) => {
  const store = withStorageErrors({ fail: () => Promise.reject(failure) });
  await expect(store.fail()).rejects.toMatchObject({
    code: 'unavailable',
    message: `early-access-kit: Firestore failed: ${name}`,
  });
});

it('makes the writes of a transaction after its reads, in their order', async () => {
  const ref = firestore.doc('numbers/written');
  const before = await transact(firestore, async (tx) => {
    tx.create(ref, { value: 1 });
    tx.update(ref, { value: 2, more: true });
    return (await tx.get(ref)).exists;
  });
  expect(before).toBe(false);
  expect((await ref.get()).data()).toEqual({ value: 2, more: true });
});

it('writes nothing if the work of a transaction fails', async () => {
  const ref = firestore.doc('numbers/failed');
  const work = transact(firestore, async (tx) => {
    tx.create(ref, {});
    throw new RangeError('no');
  });
  await expect(work).rejects.toThrow(RangeError);
  expect((await ref.get()).exists).toBe(false);
});

it('does not change a store’s synchronous results', async () => {
  const store = withStorageErrors({
    name: 'store',
    *list() {
      yield 1;
    },
    close: () => 'closed',
  });
  expect([store.name, [...store.list()], store.close()]).toEqual(['store', [1], 'closed']);
});
