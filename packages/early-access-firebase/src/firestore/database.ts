import { DAY_MS, isId, isStorageError, StorageError } from 'early-access-kit/internal';
import { type Log, sha256 } from 'early-access-server/internal';
import {
  AggregateField,
  type AggregateSpec,
  type CollectionReference,
  type DocumentData,
  type DocumentReference,
  type DocumentSnapshot,
  type Firestore,
  type Transaction as FirestoreTransaction,
  type Query,
  type QueryDocumentSnapshot,
  type ReadOnlyTransactionOptions,
  type ReadWriteTransactionOptions,
  type SetOptions,
} from 'firebase-admin/firestore';

/**
 * A TTL policy deletes sessions, visitors and hashes of erased sessions after this time. The browser's adapter has the
 * same default.
 */
export const RETENTION_MS = 395 * DAY_MS;

/** gRPC status codes of the Firestore client: invalid request, existing document, conflicting transactions. */
const INVALID_ARGUMENT = 3;
export const ALREADY_EXISTS = 6;
export const ABORTED = 10;

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'code' in error && error.code === status;
}

/**
 * Returns the id of an address's signup. The browser's adapter and `firestore.rules` compute the same one. The address
 * must be normalized.
 */
export function signupId(email: string): string {
  return sha256(email);
}

/**
 * Returns the store with methods that only reject with `StorageError`. Its message only contains the class and code of
 * the cause: Firestore's messages contain document ids, and a signup's id is derived from its address.
 */
export function withStorageErrors<T extends object>(store: T): T {
  return new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: readonly unknown[]) => {
        const result: unknown = Reflect.apply(method, target, args);
        return result instanceof Promise
          ? result.catch((error: unknown) => {
              throw toStorageError(error);
            })
          : result;
      };
    },
  });
}

export function toStorageError(error: unknown): StorageError {
  return isStorageError(error) ? error : new StorageError('unavailable', `Firestore failed: ${nameFailure(error)}`);
}

/** The class and the code of an error. */
export function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error ? `${error.name} ${error.code}` : error.name;
}

/** Reads documents, either with the client or in a transaction. */
export interface DocumentReader {
  collection(name: string): CollectionReference;
  getAll(...refs: DocumentReference[]): Promise<DocumentSnapshot[]>;
}

/**
 * Writes at the end of the transaction, because Firestore does not allow reads after writes. Reads do not see these
 * writes.
 */
export type Transaction = ReturnType<typeof openTransaction>;

function openTransaction(firestore: Firestore, transaction: FirestoreTransaction) {
  const writes: (() => unknown)[] = [];
  const aggregate = async <T extends AggregateSpec>(query: Query, fields: T) =>
    (await transaction.get(query.aggregate(fields))).data();
  return {
    collection: (name: string) => firestore.collection(name),
    getAll: async (...refs: DocumentReference[]) => (refs.length === 0 ? [] : transaction.getAll(...refs)),
    get: (ref: DocumentReference) => transaction.get(ref),
    find: async (query: Query) => (await transaction.get(query)).docs,
    aggregate,
    count: async (query: Query) => (await aggregate(query, { count: AggregateField.count() })).count,
    create: (ref: DocumentReference, data: DocumentData) => void writes.push(() => transaction.create(ref, data)),
    set: (ref: DocumentReference, data: DocumentData, options: SetOptions = {}) =>
      void writes.push(() => transaction.set(ref, data, options)),
    update: (ref: DocumentReference, data: DocumentData) => void writes.push(() => transaction.update(ref, data)),
    delete: (ref: DocumentReference) => void writes.push(() => transaction.delete(ref)),
    write() {
      for (const write of writes) write();
    },
  };
}

/** The client's default is 5 attempts, which is too few for transactions that many callers run at once. */
const MAX_ATTEMPTS = 20;
const PATIENT: ReadWriteTransactionOptions = { maxAttempts: MAX_ATTEMPTS };

/**
 * Runs a transaction, and repeats it if it conflicts with others. The client does not retry a closed one, which is the
 * error of the other reads if one of several parallel reads hits the conflict, and of a commit that is repeated because
 * its response was lost.
 */
export async function transact<T>(
  firestore: Firestore,
  work: (tx: Transaction) => Promise<T>,
  options: ReadOnlyTransactionOptions | ReadWriteTransactionOptions = PATIENT,
): Promise<T> {
  const run = async (transaction: FirestoreTransaction) => {
    const tx = openTransaction(firestore, transaction);
    const result = await work(tx);
    tx.write();
    return result;
  };
  for (let attempts = 0; ; ) {
    try {
      return await firestore.runTransaction(
        (transaction) =>
          run(transaction).catch((error: unknown) => {
            // Before repeating an aborted transaction, the client waits.
            throw isClosed(error) ? Object.assign(new Error('closed', { cause: error }), { code: ABORTED }) : error;
          }),
        options,
      );
    } catch (error) {
      if (!isClosed(error) && !isGivenUp(error)) throw error;
      attempts += isGivenUp(error) ? CLIENT_RETRIES : 1;
      if (attempts >= MAX_ATTEMPTS) throw error;
    }
  }
}

/** The client gives up after this many retries, even if `maxAttempts` is higher. */
const CLIENT_RETRIES = 10;

function isGivenUp(error: unknown): boolean {
  return error instanceof Error && /exceeded maximum number of retries/i.test(error.message);
}

function isClosed(error: unknown): boolean {
  return hasStatus(error, INVALID_ARGUMENT) && /transaction is invalid or closed/i.test(String(error));
}

/** Reads a consistent snapshot. */
export function readAtOnce<T>(firestore: Firestore, read: (tx: Transaction) => Promise<T>): Promise<T> {
  return transact(firestore, read, { readOnly: true });
}

const CHANGED_AT_ONCE = 200;
const COMMITTED_AT_ONCE = 500;

/** Yields every document of the query once, even while later documents change. */
export async function* pages(query: Query, pageSize: number): AsyncGenerator<QueryDocumentSnapshot[], void, void> {
  let rest = query.limit(pageSize);
  for (;;) {
    const { docs } = await rest.get();
    if (docs.length > 0) yield docs;
    const last = docs.at(-1);
    if (last === undefined || docs.length < pageSize) return;
    rest = rest.startAfter(last);
  }
}

/**
 * Applies `change` to every document of the query, in batches of one transaction each, and returns their number. The
 * query must not match changed documents.
 */
export async function changeAll(query: Query, change: (tx: Transaction, document: QueryDocumentSnapshot) => void) {
  for (let changed = 0; ; ) {
    const some = await transact(query.firestore, async (tx) => {
      const documents = await tx.find(query.limit(CHANGED_AT_ONCE));
      for (const document of documents) change(tx, document);
      return documents.length;
    });
    changed += some;
    if (some < CHANGED_AT_ONCE) return changed;
  }
}

/** Deletes the query's first documents, up to the maximum of a commit. Returns their number. */
export async function deleteFirst(query: Query, limit: number): Promise<number> {
  const { docs } = await query.limit(Math.min(limit, COMMITTED_AT_ONCE)).get();
  const batch = query.firestore.batch();
  for (const { ref } of docs) batch.delete(ref);
  if (docs.length > 0) await batch.commit();
  return docs.length;
}

export async function countDocuments(query: Query): Promise<number> {
  return (await query.count().get()).data().count;
}

/** Returns the next number in a collection with numbered documents. */
export async function nextNumber(tx: Transaction, collection: Query): Promise<number> {
  const [last] = await tx.find(collection.orderBy('number', 'desc').limit(1));
  return Number(last?.get('number') ?? 0) + 1;
}

/**
 * Reads documents by ids that browsers have stored. Firestore rejects a whole read or transaction if one id is invalid,
 * so these ids are ignored and logged.
 */
export function documentsNamed(reader: DocumentReader, collection: string, ids: readonly unknown[], log: Log) {
  const given = new Set(ids.filter((id) => typeof id === 'string' && id !== ''));
  const valid = [...given].filter(isId);
  const refused = given.size - valid.length;
  if (refused > 0) log('warn', 'stored-ids-ignored', { collection, ids: refused, reason: REFUSED });
  return valid.map((id) => reader.collection(collection).doc(id));
}

const REFUSED = 'Firestore refuses them as ids of documents';
