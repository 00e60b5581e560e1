import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FirestoreFixture, startFirestore } from '../fixtures/firestore.ts';
import { changeAll, orStorageError, runTransaction } from './database.ts';

let database: FirestoreFixture;
beforeAll(async () => {
  database = await startFirestore(Date.now);
});
afterAll(() => database.close());

it('changes every document of a query, in several transactions', async () => {
  const { firestore } = database;
  const documents = firestore.collection('numbers');
  const batch = firestore.batch();
  for (let number = 0; number < 450; number += 1) batch.create(documents.doc(String(number)), { is_new: number < 401 });
  await batch.commit();
  const fresh = documents.where('is_new', '==', true);
  const changed = await changeAll(firestore, fresh, (transaction, { ref }) => {
    transaction.update(ref, { is_new: false });
  });
  expect(changed).toBe(401);
  expect((await fresh.get()).size).toBe(0);
});

it('runs a transaction again if a conflict has closed it', async () => {
  const { firestore } = database;
  const failures = [Object.assign(new Error(`3 INVALID_ARGUMENT: Transaction is invalid or closed.`), { code: 3 })];
  const result = await runTransaction(firestore, async (transaction) => {
    await transaction.get(firestore.doc('numbers/0'));
    const failure = failures.pop();
    if (failure) throw failure;
    return 'done';
  });
  expect(result).toBe('done');
});

it('does not repeat a transaction that asks for something impossible', async () => {
  const failure = Object.assign(new Error('3 INVALID_ARGUMENT: a document name'), { code: 3 });
  let runs = 0;
  const asked = runTransaction(database.firestore, async () => {
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
])('names the class and the code of a failure alone: %s', async (failure, name) => {
  await expect(orStorageError(() => Promise.reject(failure))).rejects.toMatchObject({
    code: 'unavailable',
    message: `early-access-kit: Firestore failed: ${name}`,
  });
});
