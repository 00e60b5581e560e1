import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';
import { nameOf, restClient, update } from './rest-client.ts';

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

describe('preconditions', () => {
  test('exists: false', async () => {
    const create = update('things/a', ONE, { currentDocument: { exists: false } });
    expect((await owner.commit(create)).status).toBe(200);
    const again = await owner.commit(create);
    expect(again).toMatchObject(refused(409, 'ALREADY_EXISTS', /^Document already exists: projects\/.*\/things\/a$/));
  });

  test('exists: true', async () => {
    const change = update('things/a', ONE, { currentDocument: { exists: true } });
    expect(await owner.commit(change)).toMatchObject(refused(404, 'NOT_FOUND', /^No document to update: /));
  });

  test('updateTime', async () => {
    await owner.commit(update('things/a', ONE));
    const updateTime = fake.store.get('things/a')?.updateTime;
    const change = update('things/a', { n: { integerValue: '2' } }, { currentDocument: { updateTime } });
    expect((await owner.commit(change)).status).toBe(200);
    expect(await owner.commit(change)).toMatchObject(refused(400, 'FAILED_PRECONDITION', /does not match/));
  });
});

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
    delete: nameOf('things/none'),
  });
  const time = new Date(now).toISOString();
  expect(committed.body).toEqual({
    writeResults: [{ updateTime: time, transformResults: [{ timestampValue: time }] }, {}],
    commitTime: time,
  });
  const found = {
    name: nameOf('things/a'),
    createTime: time,
    updateTime: time,
    fields: { at: { timestampValue: time } },
  };
  expect((await owner.get('things/a')).body).toEqual(found);
  expect(await owner.get('things/none')).toMatchObject(refused(404, 'NOT_FOUND', /not found/));
  const read = await owner.post('batchGet', { documents: [nameOf('things/a'), nameOf('things/none')] });
  expect(read.body).toEqual([
    { found, readTime: time },
    { missing: nameOf('things/none'), readTime: time },
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

test('the result of a transform is the value it stores', async () => {
  await owner.commit(update('things/a', { n: { integerValue: '7' }, list: { arrayValue: {} } }));
  const updateTime = fake.store.get('things/a')?.updateTime;
  const probe = update(
    'things/a',
    {},
    { updateMask: {}, updateTransforms: [{ fieldPath: 'n', maximum: { integerValue: '0' } }] },
  );
  now += 5_000;
  expect((await owner.commit(probe)).body).toEqual({
    writeResults: [{ updateTime, transformResults: [{ integerValue: '7' }] }],
    commitTime: expect.any(String),
  });
  const updateTransforms = [
    { fieldPath: 'n', maximum: { integerValue: '9' } },
    { fieldPath: 'n', increment: { integerValue: '2' } },
    { fieldPath: 'list', appendMissingElements: { values: [{ integerValue: '1' }] } },
  ];
  const { body: changed } = await owner.commit(update('things/a', {}, { updateMask: {}, updateTransforms }));
  expect(changed).toMatchObject({
    writeResults: [{ transformResults: [{ integerValue: '9' }, { integerValue: '11' }, { nullValue: null }] }],
  });
});

test('documents added with store.put() can be read like any other, and are not billed', async () => {
  fake.calls.reset();
  fake.store.put('things/a', ONE);
  expect(fake.calls).toMatchObject({ documentReads: 0, writes: 0 });
  expect((await owner.get('things/a')).body).toMatchObject({ name: nameOf('things/a'), fields: ONE });
  expect(() => fake.store.put('things', ONE)).toThrow('names a collection');
});

test('empty lists and maps omit their content', async () => {
  await owner.commit(update('things/a', { list: { arrayValue: { values: [] } }, map: { mapValue: { fields: {} } } }));
  expect(fake.store.get('things/a')?.fields).toEqual({ list: { arrayValue: {} }, map: { mapValue: {} } });
  await owner.commit(update('things/b', {}));
  expect(fake.store.get('things/b')).not.toHaveProperty('fields');
});

test('streaming verbs return their error in a list', async () => {
  const response = await owner.post('batchGet', { documents: ['somewhere'] });
  expect(response.status).toBe(400);
  expect(response.body).toEqual([{ error: { code: 400, status: 'INVALID_ARGUMENT', message: expect.any(String) } }]);
});

test.each([
  ['an unknown field of a write', { writes: [{ ...update('a/b', ONE), surprise: 1 }] }, /unknown field "surprise"/],
  [
    'a write with two operations',
    { writes: [{ ...update('a/b', ONE), delete: nameOf('a/b') }] },
    /one of update, delete/,
  ],
  ['a collection as a document', { writes: [update('a', ONE)] }, /names a collection/],
  ['a reserved id', { writes: [update('a/__b__', ONE)] }, /reserved id/],
  ['another project', { writes: [{ delete: 'projects/p/databases/(default)/documents/a/b' }] }, /must lie within/],
  [
    'an unknown kind of value',
    { writes: [{ update: { name: nameOf('a/b'), fields: { n: { intValue: 1 } } } }] },
    /kind of/,
  ],
  [
    'a list within a list',
    { writes: [update('a/b', { n: { arrayValue: { values: [{ arrayValue: {} }] } } })] },
    /array value/,
  ],
  [
    'a mask that names a field twice',
    { writes: [{ ...update('a/b', ONE), updateMask: { fieldPaths: ['n', 'n.m'] } }] },
    /twice/,
  ],
  [
    'a broken field path',
    { writes: [{ ...update('a/b', ONE), updateMask: { fieldPaths: ['a..b'] } }] },
    /not a field path/,
  ],
  [
    'two preconditions',
    { writes: [{ ...update('a/b', ONE), currentDocument: { exists: true, updateTime: 'x' } }] },
    /one of/,
  ],
  [
    'an unknown transform',
    { writes: [{ ...update('a/b', ONE), updateTransforms: [{ fieldPath: 'n', double: 1 }] }] },
    /"double"/,
  ],
  [
    'a document that is too large',
    { writes: [update('a/b', { a: text(600_000), b: text(600_000) })] },
    /exceeds the limit/,
  ],
  ['an unknown transaction', { writes: [], transaction: 'abc' }, /no longer valid/],
])('%s is refused', async (_, body, message) => {
  expect(await owner.post('commit', body)).toMatchObject(refused(400, 'INVALID_ARGUMENT', message));
  expect(fake.store.list('a')).toEqual([]);
});

test.each([
  ['invalid JSON', () => owner.raw('commit', '{'), refused(400, 'INVALID_ARGUMENT', /Invalid JSON/)],
  ['an unknown verb', () => owner.post('listen', {}), refused(501, 'UNIMPLEMENTED', /does not know/)],
  ['an unknown path', () => fetch(`${fake.restUrl}/v2`).then(body), refused(404, 'NOT_FOUND', /nothing/)],
  [
    'an invalid token',
    () => restClient(fake, 'Bearer nonsense').commit(update('a/b', ONE)),
    refused(401, 'UNAUTHENTICATED', /credentials/),
  ],
])('%s is refused', async (_, send, expected) => {
  expect(await send()).toMatchObject(expected);
});

test('transactions work over REST: they read, lock, commit and end', async () => {
  const begun = await owner.post('beginTransaction', { options: { readWrite: {} } });
  const transaction = transactionOf(begun.body);
  await owner.post('batchGet', { documents: [nameOf('things/a')], transaction });
  const waiting = owner.commit(update('things/a', { by: { stringValue: 'other' } }));
  const writes = [update('things/a', { by: { stringValue: 'transaction' } })];
  expect((await owner.post('commit', { writes, transaction })).status).toBe(200);
  expect((await waiting).status).toBe(200);
  expect(fake.store.get('things/a')?.fields).toEqual({ by: { stringValue: 'other' } });
  expect((await owner.post('rollback', { transaction })).status).toBe(400);
});

async function body(response: Response) {
  return { status: response.status, body: await response.json() };
}

function text(length: number) {
  return { stringValue: 'x'.repeat(length) };
}

function transactionOf(response: unknown): string {
  const found =
    typeof response === 'object' && response !== null && 'transaction' in response ? response.transaction : undefined;
  if (typeof found !== 'string') throw new Error('No transaction was begun.');
  return found;
}
