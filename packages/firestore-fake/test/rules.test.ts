import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FirestoreFake, startFirestoreFake } from '../src/firestore-fake.ts';
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

const anonymous = () => restClient(fake);
const owner = () => restClient(fake, 'Bearer owner');

test('request.resource is the document after its transforms, with the time of the commit', async () => {
  use(`match /things/{id} {
    allow create: if request.resource.data == {'n': 3, 'at': request.time} && request.resource.id == id;
  }`);
  const updateTransforms = [
    { fieldPath: 'n', increment: { integerValue: '2' } },
    { fieldPath: 'at', setToServerValue: 'REQUEST_TIME' },
  ];
  expect((await anonymous().commit(update('things/a', ONE, { updateTransforms }))).status).toBe(200);
  expect((await anonymous().commit(update('things/b', TWO, { updateTransforms }))).status).toBe(403);
});

test('a write is a create, update or delete depending on the existing document', async () => {
  use(`match /things/{id} {
    allow create: if resource == null;
    allow update: if request.resource.data.n > resource.data.n;
    allow delete: if resource.data.n == 2;
  }`);
  const remove = { delete: nameOf('things/a') };
  expect((await anonymous().commit(update('things/a', ONE))).status).toBe(200);
  expect((await anonymous().commit(update('things/a', ONE))).status).toBe(403);
  expect((await anonymous().commit(remove)).status).toBe(403);
  expect((await anonymous().commit(update('things/a', TWO))).status).toBe(200);
  expect((await anonymous().commit(remove)).status).toBe(200);
  expect((await anonymous().commit(remove)).status).toBe(403);
});

describe('creating an existing document', () => {
  const create = update('things/a', TWO, { currentDocument: { exists: false } });
  const RULES =
    "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents/things/{id} { allow create; } }";

  test('is an update for the rules, and is denied if they deny updates', async () => {
    fake.setRules(RULES);
    await owner().commit(update('things/a', ONE));
    expect((await anonymous().commit(create)).body).toMatchObject({ error: { status: 'PERMISSION_DENIED' } });
  });

  test('is a conflict if the rules allow the update', async () => {
    fake.setRules(RULES.replace('allow create', 'allow write'));
    await owner().commit(update('things/a', ONE));
    expect((await anonymous().commit(create)).body).toMatchObject({ error: { status: 'ALREADY_EXISTS' } });
  });

  test('is a conflict before the rules are checked, with existingCreate: already-exists', async () => {
    const other = await startFirestoreFake({ rules: RULES, existingCreate: 'already-exists' });
    await restClient(other).commit(create);
    expect((await restClient(other).commit(create)).body).toMatchObject({ error: { status: 'ALREADY_EXISTS' } });
    await other.stop();
  });
});

test('a batch is denied if one of its writes is', async () => {
  use('match /things/{id} { allow create; }');
  const smuggled = await anonymous().commit(update('things/a', ONE), update('others/b', ONE));
  expect(smuggled.body).toMatchObject({ error: { status: 'PERMISSION_DENIED' } });
  expect(fake.store.list('things')).toEqual([]);
  const twice = await anonymous().commit(update('things/a', ONE), update('things/a', TWO));
  expect(twice.body).toMatchObject({ error: { message: expect.stringContaining('update things/a') } });
});

test('rules can allow reads of missing documents only', async () => {
  use('match /things/{id} { allow get: if resource == null; }');
  await owner().commit(update('things/a', ONE));
  expect((await anonymous().get('things/none')).status).toBe(404);
  expect((await anonymous().get('things/a')).status).toBe(403);
  const both = await anonymous().post('batchGet', { documents: [nameOf('things/none'), nameOf('things/a')] });
  expect(both.body).toMatchObject([{ error: { code: 403, status: 'PERMISSION_DENIED' } }]);
});

test('!exists() allows the same reads as resource == null', async () => {
  const path = '/databases/$(database)/documents/things/$(id)';
  await owner().commit(update('things/a', ONE));
  for (const condition of ['resource == null', `!exists(${path})`]) {
    use(`match /things/{id} { allow get: if ${condition}; }`);
    const statuses = ['none', 'a'].map(async (id) => (await anonymous().get(`things/${id}`)).status);
    expect(await Promise.all(statuses)).toEqual([404, 403]);
    const batch = await anonymous().post('batchGet', { documents: [nameOf('things/none')] });
    expect(batch.body).toMatchObject([{ missing: nameOf('things/none') }]);
  }
});

test('queries and aggregations require `allow list`', async () => {
  const structuredQuery = { from: [{ collectionId: 'things' }] };
  const aggregation = { structuredAggregationQuery: { structuredQuery, aggregations: [{ count: {} }] } };
  use('match /things/{id} { allow get; }');
  expect((await anonymous().post('runQuery', { structuredQuery })).status).toBe(403);
  expect((await anonymous().post('runAggregationQuery', aggregation)).status).toBe(403);
  use('match /things/{id} { allow list; }');
  expect((await anonymous().post('runQuery', { structuredQuery })).status).toBe(200);
  const counted = await anonymous().post('runAggregationQuery', aggregation);
  expect(counted.body).toMatchObject([{ result: { aggregateFields: { field_1: { integerValue: '0' } } } }]);
});

test('returns 500 if Firestore’s result is not documented', async () => {
  use('match /things/{id} { allow list: if resource.data.open; allow create: if request.auth.uid == id || true; }');
  const structuredQuery = { from: [{ collectionId: 'things' }] };
  const list = await anonymous().post('runQuery', { structuredQuery });
  expect(list.body).toMatchObject([{ error: { code: 500, message: expect.stringContaining('"list"') } }]);
  const create = await anonymous().commit(update('things/a', ONE));
  expect(create.body).toMatchObject({
    error: { code: 500, status: 'INTERNAL', message: expect.stringContaining('||') },
  });
});

test('the claims of an unsigned token set request.auth', async () => {
  use(
    "match /users/{id} { allow get: if request.auth.uid == id && request.auth.token.email.matches('.*@example[.]com'); }",
  );
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const token = `${encode({ alg: 'none' })}.${encode({ sub: 'u1', email: 'a@example.com' })}.`;
  const user = restClient(fake, `Bearer ${token}`);
  expect((await user.get('users/u1')).status).toBe(404);
  expect((await user.get('users/u2')).status).toBe(403);
  expect((await anonymous().get('users/u1')).status).toBe(403);
});

test('rules can read other documents before and after the batch, which is billed', async () => {
  use(`match /things/{id} {
    allow create: if existsAfter(/databases/$(database)/documents/locks/$(id))
                  && !exists(/databases/$(database)/documents/locks/$(id))
                  && getAfter(/databases/$(database)/documents/locks/$(id)).data.n == 1;
  }
  match /locks/{id} { allow create; }`);
  fake.calls.reset();
  expect((await anonymous().commit(update('things/a', ONE))).status).toBe(403);
  expect((await anonymous().commit(update('things/a', ONE), update('locks/a', ONE))).status).toBe(200);
  expect(fake.calls).toMatchObject({ documentReads: 2, writes: 2 });
});

test('rules with an unknown construct leave the previous ones in effect', async () => {
  use('match /things/{id} { allow get; }');
  expect(() => use('match /things/{id} { allow get: if magic(); }')).toThrow('unknown function magic');
  expect((await anonymous().get('things/a')).status).toBe(404);
});
