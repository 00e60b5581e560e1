import { Firestore, Timestamp } from '@google-cloud/firestore';
import {
  type Answer,
  commit,
  type Group,
  nameDocument,
  PROJECT,
  post,
  type Question,
  splitList,
  type Target,
} from './target.ts';

/** Steps, one after the other, in the transaction that was started last. */
const STEPS = splitList(
  'commit ¦ begin, commit, commit ¦ begin, roll back, commit ¦ begin, roll back, roll back ¦ begin, commit, roll back ¦ begin, commit, read ¦ begin, read, commit ¦ begin, query, commit ¦ begin, commit if it exists, commit ¦ begin read-only, commit ¦ begin read-only, commit nothing ¦ begin read-only, read, write outside, read ¦ begin in a read, commit ¦ begin as anyone ¦ begin read-write and read-only ¦ begin, read and begin ¦ read unknown, commit nothing',
);

interface Step {
  readonly target: Target;
  readonly path: string;
  readonly transaction: string;
}
const written = ({ path }: Step) => ({ update: { name: nameDocument(path), fields: { n: { integerValue: '1' } } } });
const end = ({ target, transaction }: Step, ...writes: readonly object[]) =>
  post(target, 'commit', { writes, transaction }, 'owner');
const read = ({ target, path }: Step, more: object) =>
  post(target, 'batchGet', { documents: [nameDocument(path)], ...more }, 'owner');
const begin = ({ target }: Step, options: object, as?: 'owner') => post(target, 'beginTransaction', { options }, as);

const DO: Readonly<Record<string, (step: Step) => Promise<Answer>>> = {
  begin: (step) => begin(step, {}, 'owner'),
  'begin read-only': (step) => begin(step, { readOnly: {} }, 'owner'),
  'begin read-write and read-only': (step) => begin(step, { readWrite: {}, readOnly: {} }, 'owner'),
  'begin as anyone': (step) => begin(step, {}),
  'begin in a read': (step) => read(step, { newTransaction: { readWrite: {} } }),
  'read and begin': (step) => read(step, { transaction: step.transaction, newTransaction: {} }),
  read: (step) => read(step, { transaction: step.transaction }),
  'read unknown': (step) => read(step, { transaction: 'abcd' }),
  query({ target, path, transaction }) {
    const structuredQuery = { from: [{ collectionId: path.split('/')[0] }] };
    return post(target, 'runQuery', { structuredQuery, transaction }, 'owner');
  },
  commit: (step) => end(step, written(step)),
  'commit if it exists': (step) => end(step, { ...written(step), currentDocument: { exists: true } }),
  'commit nothing': (step) => end(step),
  'write outside': (step) => commit(step.target, 'owner', written(step)),
  'roll back': ({ target, transaction }) => post(target, 'rollback', { transaction }, 'owner'),
};

async function runSteps(target: Target, path: string, steps: readonly string[]): Promise<string> {
  const statuses: string[] = [];
  let transaction = '';
  for (const step of steps) {
    const answer = await DO[step]?.({ target, path, transaction });
    const text = JSON.stringify(answer?.body);
    transaction = /"transaction":"(.+?)"/.exec(text)?.[1] ?? transaction;
    statuses.push(`${answer?.status}${text.includes('"missing"') ? ' missing' : ''}`);
  }
  return statuses.join(', ');
}

/** Calls through Google's client, which speaks gRPC. */
const CALLS: Record<string, (db: Firestore, path: string) => Promise<unknown>> = {
  'create an existing document': async (db, path) => [await db.doc(path).create({}), await db.doc(path).create({})],
  'update a missing document': (db, path) => db.doc(path).update({ n: 1 }),
  'update another version': async (db, path) => [
    await db.doc(path).set({}),
    await db.doc(path).update({ n: 1 }, { lastUpdateTime: Timestamp.fromMillis(0) }),
  ],
  'delete a missing document': (db, path) => db.doc(path).delete({ exists: true }),
  'write a reserved id': (db) => db.doc('grpc/__a__').set({}),
  'read a reserved id': (db) => db.doc('grpc/________').get(),
  'write a large document': (db, path) => db.doc(path).set({ a: 'x'.repeat(600_000), b: 'x'.repeat(600_000) }),
  'write in a read-only transaction': (db, path) =>
    db.runTransaction(async (transaction) => transaction.set(db.doc(path), {}), { readOnly: true }),
  'filter by too many values': (db) =>
    db
      .collection('grpc')
      .where(
        'n',
        'in',
        Array.from({ length: 31 }, (_, n) => n),
      )
      .get(),
};

const clients = new WeakMap<Target, Firestore>();

/** The number of the error. */
async function readErrorCode(target: Target, call: (db: Firestore) => Promise<unknown>): Promise<string> {
  const settings = { projectId: PROJECT, ssl: false, customHeaders: { Authorization: 'Bearer owner' } };
  const db = clients.get(target) ?? new Firestore({ ...settings, host: target.grpcHost });
  clients.set(target, db);
  return call(db).then(
    () => 'OK',
    (error: unknown) => `code ${error instanceof Error && 'code' in error ? error.code : error}`,
  );
}

export const TRANSACTION_GROUPS: readonly Group[] = [
  {
    name: 'transaction',
    questions: STEPS.map(
      (steps, place): Question => [steps, (target) => runSteps(target, `transactions${place}/a`, steps.split(', '))],
    ),
  },
  {
    name: 'grpc',
    questions: Object.entries(CALLS).map(
      ([label, call], place): Question => [
        label,
        (target) => readErrorCode(target, (db) => call(db, `grpc/d${place}`)),
      ],
    ),
  },
];
