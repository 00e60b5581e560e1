import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/index.ts';
import { nameOf, restClient, update } from './rest-client.ts';

const ONE = { n: { integerValue: '1' } } as const;
const TWO = { n: { integerValue: '2' } } as const;

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

const stranger = () => restClient(fake);
const owner = () => restClient(fake, 'Bearer owner');

test('the document as it will be, transforms applied, at the time of the commit', async () => {
  use(`match /things/{id} {
    allow create: if request.resource.data == {'n': 3, 'at': request.time} && request.resource.id == id;
  }`);
  const updateTransforms = [
    { fieldPath: 'n', increment: { integerValue: '2' } },
    { fieldPath: 'at', setToServerValue: 'REQUEST_TIME' },
  ];
  expect((await stranger().commit(update('things/a', ONE, { updateTransforms }))).status).toBe(200);
  expect((await stranger().commit(update('things/b', TWO, { updateTransforms }))).status).toBe(403);
});

test('create, update and delete by what was there before', async () => {
  use(`match /things/{id} {
    allow create: if resource == null;
    allow update: if request.resource.data.n > resource.data.n;
    allow delete: if resource.data.n == 2;
  }`);
  const remove = { delete: nameOf('things/a') };
  expect((await stranger().commit(update('things/a', ONE))).status).toBe(200);
  expect((await stranger().commit(update('things/a', ONE))).status).toBe(403);
  expect((await stranger().commit(remove)).status).toBe(403);
  expect((await stranger().commit(update('things/a', TWO))).status).toBe(200);
  expect((await stranger().commit(remove)).status).toBe(200);
  expect((await stranger().commit(remove)).status).toBe(403);
});

describe('a create of what is there', () => {
  const create = update('things/a', TWO, { currentDocument: { exists: false } });
  const RULES =
    "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents/things/{id} { allow create; } }";

  test('is an update to the rules, and so denied', async () => {
    fake.setRules(RULES);
    await owner().commit(update('things/a', ONE));
    expect((await stranger().commit(create)).body).toMatchObject({ error: { status: 'PERMISSION_DENIED' } });
  });

  test('is a conflict where the rules allow the update', async () => {
    fake.setRules(RULES.replace('allow create', 'allow write'));
    await owner().commit(update('things/a', ONE));
    expect((await stranger().commit(create)).body).toMatchObject({ error: { status: 'ALREADY_EXISTS' } });
  });

  test('is a conflict at once, where that is asked for', async () => {
    const other = await startFirestoreFake({ rules: RULES, existingCreate: 'already-exists' });
    await restClient(other).commit(create);
    expect((await restClient(other).commit(create)).body).toMatchObject({ error: { status: 'ALREADY_EXISTS' } });
    await other.stop();
  });
});

test('one denied write denies the batch', async () => {
  use('match /things/{id} { allow create; }');
  const smuggled = await stranger().commit(update('things/a', ONE), update('others/b', ONE));
  expect(smuggled.body).toMatchObject({ error: { status: 'PERMISSION_DENIED' } });
  expect(fake.store.list('things')).toEqual([]);
  const twice = await stranger().commit(update('things/a', ONE), update('things/a', TWO));
  expect(twice.body).toMatchObject({ error: { message: expect.stringContaining('update things/a') } });
});

test('absence can be read where presence cannot', async () => {
  use('match /things/{id} { allow get: if resource == null; }');
  await owner().commit(update('things/a', ONE));
  expect((await stranger().get('things/none')).status).toBe(404);
  expect((await stranger().get('things/a')).status).toBe(403);
  const both = await stranger().post('batchGet', { documents: [nameOf('things/none'), nameOf('things/a')] });
  expect(both.body).toMatchObject([{ error: { code: 403, status: 'PERMISSION_DENIED' } }]);
});

test('!exists() allows the same reads as resource == null', async () => {
  const path = '/databases/$(database)/documents/things/$(id)';
  await owner().commit(update('things/a', ONE));
  for (const condition of ['resource == null', `!exists(${path})`]) {
    use(`match /things/{id} { allow get: if ${condition}; }`);
    const statuses = ['none', 'a'].map(async (id) => (await stranger().get(`things/${id}`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 403]);
    const batch = await stranger().post('batchGet', { documents: [nameOf('things/none')] });
    expect(batch.body).toMatchObject([{ missing: nameOf('things/none') }]);
  }
});

test('queries and aggregations need list', async () => {
  const structuredQuery = { from: [{ collectionId: 'things' }] };
  const aggregation = { structuredAggregationQuery: { structuredQuery, aggregations: [{ count: {} }] } };
  use('match /things/{id} { allow get; }');
  expect((await stranger().post('runQuery', { structuredQuery })).status).toBe(403);
  expect((await stranger().post('runAggregationQuery', aggregation)).status).toBe(403);
  use('match /things/{id} { allow list; }');
  expect((await stranger().post('runQuery', { structuredQuery })).status).toBe(200);
  const counted = await stranger().post('runAggregationQuery', aggregation);
  expect(counted.body).toMatchObject([{ result: { aggregateFields: { field_1: { integerValue: '0' } } } }]);
});

test('what would be a guess is an error of the server', async () => {
  use('match /things/{id} { allow list: if resource.data.open; allow create: if request.auth.uid == id || true; }');
  const structuredQuery = { from: [{ collectionId: 'things' }] };
  const list = await stranger().post('runQuery', { structuredQuery });
  expect(list.body).toMatchObject([{ error: { code: 500, message: expect.stringContaining('"list"') } }]);
  const create = await stranger().commit(update('things/a', ONE));
  expect(create.body).toMatchObject({
    error: { code: 500, status: 'INTERNAL', message: expect.stringContaining('||') },
  });
});

test('the claims of an unsigned token', async () => {
  use(
    "match /users/{id} { allow get: if request.auth.uid == id && request.auth.token.email.matches('.*@example[.]com'); }",
  );
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const token = `${encode({ alg: 'none' })}.${encode({ sub: 'u1', email: 'a@example.com' })}.`;
  const user = restClient(fake, `Bearer ${token}`);
  expect((await user.get('users/u1')).status).toBe(404);
  expect((await user.get('users/u2')).status).toBe(403);
  expect((await stranger().get('users/u1')).status).toBe(403);
});

test('other documents, before and after the batch, are read and billed', async () => {
  use(`match /things/{id} {
    allow create: if existsAfter(/databases/$(database)/documents/locks/$(id))
                  && !exists(/databases/$(database)/documents/locks/$(id))
                  && getAfter(/databases/$(database)/documents/locks/$(id)).data.n == 1;
  }
  match /locks/{id} { allow create; }`);
  fake.calls.reset();
  expect((await stranger().commit(update('things/a', ONE))).status).toBe(403);
  expect((await stranger().commit(update('things/a', ONE), update('locks/a', ONE))).status).toBe(200);
  expect(fake.calls).toMatchObject({ documentReads: 2, writes: 2 });
});

test('rules that are not understood change nothing', async () => {
  use('match /things/{id} { allow get; }');
  expect(() => use('match /things/{id} { allow get: if magic(); }')).toThrow('unknown function magic');
  expect((await stranger().get('things/a')).status).toBe(404);
});
