import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';
import { nameDocument, restClient, update } from './rest-client.ts';

// 2023-11-14T22:13:20Z; each test starts a second later than the one before.
let now = 1_700_000_000_000;
const ONE = { n: { integerValue: '1' } };
const TEXT = { s: { stringValue: 'x' } };

let fake: FirestoreFake;
let owner: ReturnType<typeof restClient>;

beforeAll(async () => {
  fake = await startFirestoreFake({ now: () => now });
  owner = restClient(fake, 'Bearer owner');
});
afterAll(() => fake.stop());
beforeEach(() => {
  now += 1000;
  fake.store.clear();
});

function refused(code: number, status: string, message: RegExp) {
  return { status: code, body: { error: { code, status, message: expect.stringMatching(message) } } };
}

test('commits within one clock tick still have increasing times', async () => {
  await owner.commit(update('things/a', ONE));
  await owner.commit(update('things/b', ONE));
  const [a, b] = fake.store.list('things');
  const second = new Date(now).toISOString().slice(0, 19);
  expect([a?.updateTime, b?.updateTime]).toEqual([`${second}Z`, `${second}.000001Z`]);
});

test('responses have the same form as Google’s', async () => {
  now += 123;
  const transforms = [{ fieldPath: 'at', setToServerValue: 'REQUEST_TIME' }];
  const committed = await owner.commit(update('things/a', {}, { updateTransforms: transforms }), {
    delete: nameDocument('things/none'),
  });
  const time = new Date(now).toISOString();
  expect(committed.body).toEqual({
    writeResults: [{ updateTime: time, transformResults: [{ timestampValue: time }] }, {}],
    commitTime: time,
  });
  const found = {
    name: nameDocument('things/a'),
    createTime: time,
    updateTime: time,
    fields: { at: { timestampValue: time } },
  };
  const read = await owner.post('batchGet', { documents: [nameDocument('things/a'), nameDocument('things/none')] });
  expect(read.body).toEqual([
    { found, readTime: time },
    { missing: nameDocument('things/none'), readTime: time },
  ]);
  const empty = await owner.post('runQuery', { structuredQuery: { from: [{ collectionId: 'none' }] } });
  expect(empty.body).toEqual([{ readTime: time }]);
});

test('a write that changes nothing returns the time of the last change', async () => {
  const first = new Date(now).toISOString();
  await owner.commit(update('things/a', { ...ONE, ...TEXT }));
  now += 5_000;
  const commitTime = new Date(now).toISOString();
  const time = (updateTime: string) => ({ writeResults: [{ updateTime }], commitTime: expect.any(String) });
  const unchanged = [
    update('things/a', { ...TEXT, ...ONE }),
    update('things/a', {}, { updateMask: {} }),
    update('things/a', ONE, { updateMask: { fieldPaths: ['n'] }, currentDocument: { exists: true } }),
  ];
  for (const write of unchanged) expect((await owner.commit(write)).body).toEqual(time(first));
  expect(fake.store.get('things/a')).toMatchObject({ createTime: first, updateTime: first });
  const changed = await owner.commit(update('things/a', { ...ONE, s: { stringValue: 'y' } }));
  expect(changed.body).toMatchObject({
    writeResults: [{ updateTime: expect.stringContaining(commitTime.slice(0, 19)) }],
  });
  expect(fake.store.get('things/a')?.updateTime).not.toBe(first);
  // An integer and a double are different values even if they are numerically equal.
  const later = await owner.commit(update('things/a', { ...TEXT, n: { doubleValue: 1 } }));
  expect(later.body).not.toMatchObject({ writeResults: [{ updateTime: first }] });
});

test('documents added with store.put() can be read like any other, and are not billed', async () => {
  fake.calls.reset();
  fake.store.put('things/a', ONE);
  expect(fake.calls).toMatchObject({ documentReads: 0, writes: 0 });
  const read = await owner.post('batchGet', { documents: [nameDocument('things/a')] });
  expect(read.body).toMatchObject([{ found: { name: nameDocument('things/a'), fields: ONE } }]);
  expect(() => fake.store.put('things', ONE)).toThrow('names a collection');
});

test('streaming verbs return their error in a list', async () => {
  const response = await owner.post('batchGet', { documents: ['somewhere'] });
  expect(response.status).toBe(400);
  expect(response.body).toEqual([{ error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.any(String) } }]);
});

test.each([
  ['invalid JSON', () => owner.raw('commit', '{'), refused(400, 'INVALID_ARGUMENT', /Invalid JSON/)],
  ['an unknown verb', () => owner.post('listen', {}), refused(501, 'UNIMPLEMENTED', /does not know/)],
  [
    'a user',
    () => restClient(fake, 'Bearer a.b.c').commit(update('a/b', ONE)),
    refused(401, 'UNAUTHENTICATED', /no users/),
  ],
])('%s is refused', async (_, send, expected) => {
  expect(await send()).toMatchObject(expected);
});
