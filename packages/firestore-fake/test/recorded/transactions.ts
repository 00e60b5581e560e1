import { Firestore, Timestamp } from '@google-cloud/firestore';
import { commit, type Group, nameOf, post, PROJECT, type Question, type Target } from './target.ts';

const WRITE = (path: string) => ({ update: { name: nameOf(path), fields: { n: { integerValue: '1' } } } });

async function begin(target: Target, options: object = {}): Promise<string> {
  const { body } = await post(target, 'beginTransaction', { options }, 'owner');
  return typeof body === 'object' && body !== null && 'transaction' in body ? String(body.transaction) : '';
}
const read = (target: Target, path: string, more: object) => post(target, 'batchGet', { documents: [nameOf(path)], ...more }, 'owner');
const query = (target: Target, collectionId: string, more: object) => post(target, 'runQuery', { structuredQuery: { from: [{ collectionId }] }, ...more }, 'owner');
const end = (target: Target, transaction: string, ...writes: readonly object[]) => post(target, 'commit', { writes, transaction }, 'owner');

/** The statuses of steps that are taken one after the other. */
const STEPS: Record<string, (target: Target, path: string) => Promise<readonly { status: string }[]>> = {
  'commit twice': async (target, path) => {
    const id = await begin(target);
    return [await end(target, id, WRITE(path)), await end(target, id, WRITE(path))];
  },
  'commit after rollback': async (target, path) => {
    const id = await begin(target);
    return [await post(target, 'rollback', { transaction: id }, 'owner'), await end(target, id, WRITE(path))];
  },
  'rollback twice': async (target) => {
    const id = await begin(target);
    return [await post(target, 'rollback', { transaction: id }, 'owner'), await post(target, 'rollback', { transaction: id }, 'owner')];
  },
  'rollback after commit': async (target, path) => {
    const id = await begin(target);
    return [await end(target, id, WRITE(path)), await post(target, 'rollback', { transaction: id }, 'owner')];
  },
  'read after commit': async (target, path) => {
    const id = await begin(target);
    return [await end(target, id), await read(target, path, { transaction: id })];
  },
  'write in a read-only transaction': async (target, path) => [await end(target, await begin(target, { readOnly: {} }), WRITE(path))],
  'empty commit of a read-only transaction': async (target) => [await end(target, await begin(target, { readOnly: {} }))],
  'failed precondition ends it': async (target, path) => {
    const id = await begin(target);
    return [await end(target, id, { ...WRITE(path), currentDocument: { exists: true } }), await end(target, id, WRITE(path))];
  },
  'read, then commit': async (target, path) => {
    const id = await begin(target);
    return [await read(target, path, { transaction: id }), await end(target, id, WRITE(path))];
  },
  'begun by a read': async (target, path) => {
    const answer = await read(target, path, { newTransaction: { readWrite: {} } });
    const rows: readonly { transaction?: string }[] = Array.isArray(answer.body) ? answer.body : [];
    return [answer, await end(target, rows.find(({ transaction }) => transaction)?.transaction ?? '', WRITE(path))];
  },
  'both kinds of transaction': async (target, path) => [await read(target, path, { transaction: await begin(target), newTransaction: {} })],
  'unknown transaction': async (target, path) => [await read(target, path, { transaction: 'abcd' }), await end(target, 'abcd')],
  'read-write and read-only': async (target) => [await post(target, 'beginTransaction', { options: { readWrite: {}, readOnly: {} } }, 'owner')],
  'anonymous': async (target) => [await post(target, 'beginTransaction', {})],
  'query in a transaction': async (target, path) => {
    const id = await begin(target);
    return [await query(target, path.split('/')[0] ?? '', { transaction: id }), await end(target, id, WRITE(path))];
  },
  'snapshot of a read-only transaction': async (target, path) => {
    const id = await begin(target, { readOnly: {} });
    const first = await read(target, path, { transaction: id });
    await commit(target, 'owner', WRITE(path));
    const second = await read(target, path, { transaction: id });
    return [first, second, { status: String(JSON.stringify(second.body).includes('missing')) }];
  },
};

/** Calls through Google's client, which speaks gRPC. */
const CALLS: Record<string, (db: Firestore, path: string) => Promise<unknown>> = {
  'create an existing document': async (db, path) => [await db.doc(path).create({}), await db.doc(path).create({})],
  'update a missing document': (db, path) => db.doc(path).update({ n: 1 }),
  'update another version': async (db, path) => [await db.doc(path).set({}), await db.doc(path).update({ n: 1 }, { lastUpdateTime: Timestamp.fromMillis(0) })],
  'delete a missing document': (db, path) => db.doc(path).delete({ exists: true }),
  'write a reserved id': (db) => db.doc('grpc/__a__').set({}),
  'read a reserved id': (db) => db.doc('grpc/________').get(),
  'write a large document': (db, path) => db.doc(path).set({ a: 'x'.repeat(600_000), b: 'x'.repeat(600_000) }),
  'write in a read-only transaction': (db, path) => db.runTransaction(async (transaction) => transaction.set(db.doc(path), {}), { readOnly: true }),
  'filter by too many values': (db) => db.collection('grpc').where('n', 'in', Array.from({ length: 31 }, (_, n) => n)).get(),
};

/** The number of the error. */
async function grpcAnswer(target: Target, call: (db: Firestore) => Promise<unknown>): Promise<string> {
  const db = new Firestore({ projectId: PROJECT, host: target.grpcHost, ssl: false, customHeaders: { Authorization: 'Bearer owner' } });
  const answer = await call(db).then(
    () => 'OK',
    (error: unknown) => `code ${error instanceof Error && 'code' in error ? error.code : error}`,
  );
  await db.terminate();
  return answer;
}

export const TRANSACTION_GROUPS: readonly Group[] = [
  {
    name: 'transaction',
    questions: Object.entries(STEPS).map(([label, steps], place): Question => [
      label,
      async (target) => (await steps(target, `transactions${place}/a`)).map(({ status }) => status).join(', '),
    ]),
  },
  {
    name: 'grpc',
    questions: Object.entries(CALLS).map(([label, call], place): Question => [label, (target) => grpcAnswer(target, (db) => call(db, `grpc/d${place}`))]),
  },
];
