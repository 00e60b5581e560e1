import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';
import { nameDocument, restClient, update } from './rest-client.ts';

const ONE = { n: { integerValue: '1' } } as const;

let fake: FirestoreFake;

beforeEach(async () => {
  fake = await startFirestoreFake({ now: () => 1_700_000_000_123 });
});
afterEach(() => fake.stop());

function use(body: string): void {
  fake.setRules(`rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
${body}
  }
}`);
}

const anonymous = () => restClient(fake);

test('a batch is denied if one of its writes is', async () => {
  use('match /things/{id} { allow create; }');
  const smuggled = await anonymous().commit(update('things/a', ONE), update('others/b', ONE));
  expect(smuggled.body).toMatchObject({ error: { status: 'PERMISSION_DENIED' } });
  expect(fake.store.list('things')).toEqual([]);
});

test('returns 500 for rules that depend on the documents of a query', async () => {
  use('match /things/{id} { allow list: if resource.data.open; }');
  const list = await anonymous().post('runQuery', { structuredQuery: { from: [{ collectionId: 'things' }] } });
  expect(list.body).toMatchObject([{ error: { code: 500, message: expect.stringContaining('"list"') } }]);
});

test('rules can read other documents, which is billed', async () => {
  use(`match /things/{id} {
    allow create: if exists(/databases/$(database)/documents/locks/$(id))
                  && get(/databases/$(database)/documents/locks/$(id)).data.n == 1;
  }`);
  fake.calls.reset();
  expect((await anonymous().commit(update('things/a', ONE))).status).toBe(403);
  fake.store.put('locks/a', ONE);
  expect((await anonymous().commit(update('things/a', ONE))).status).toBe(200);
  expect(fake.calls).toMatchObject({ documentReads: 2, writes: 1 });
});

test('rules with an unknown construct leave the previous ones in effect', async () => {
  use('match /things/{id} { allow get; }');
  expect(() => use('match /things/{id} { allow get: if magic(); }')).toThrow('unknown function magic');
  expect((await anonymous().post('batchGet', { documents: [nameDocument('things/a')] })).status).toBe(200);
});
