import { DAY_MS, isId, isStorageError, StorageError } from 'early-access-kit/core';
import { type Log, sha256 } from 'early-access-server/stores';
import type {
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Query,
  QueryDocumentSnapshot,
  ReadOnlyTransactionOptions,
  ReadWriteTransactionOptions,
  Transaction,
} from 'firebase-admin/firestore';
import type { COLLECTIONS } from './documents.ts';

/** Sessions, visitors and hashes of erased sessions are deleted by a TTL policy after this. The browser's adapter has the same default. */
export const RETENTION_MS = 395 * DAY_MS;

/** The status codes that Firestore’s client rejects with if a request is wrong, if a document to create exists, and if transactions conflict. */
const INVALID_ARGUMENT = 3;
export const ALREADY_EXISTS = 6;
export const ABORTED = 10;

export function hasStatus(error: unknown, status: number): boolean {
  return error instanceof Error && 'code' in error && error.code === status;
}

/** The id of an address's signup, as the browser's adapter creates it and `firestore.rules` demand it. The address is normalized. */
export function signupId(email: string): string {
  return sha256(email);
}

/**
 * Rejects with a `StorageError` that contains only the class and the code of the failure: Firestore's messages contain the ids of documents,
 * and the id of a signup is derived from its address.
 */
export async function orStorageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isStorageError(error)) throw error;
    const name = error instanceof Error ? error.name : 'unknown';
    const code = error instanceof Error && 'code' in error ? ` ${error.code}` : '';
    throw new StorageError('unavailable', `Firestore failed: ${name}${code}`);
  }
}

/** Options of transactions that must not fail if many callers run them at once. The client's default is 5 attempts. */
export const PATIENT: ReadWriteTransactionOptions = { maxAttempts: 10 };

type TransactionOptions = ReadOnlyTransactionOptions | ReadWriteTransactionOptions;

/** Runs a transaction, and again if it conflicts with others. Rejects with a `StorageError`. */
export function transact<T>(
  firestore: Firestore,
  work: (transaction: Transaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return orStorageError(() => runTransaction(firestore, work, options));
}

/** Like `transact`, but rejects with Firestore's error. */
export function runTransaction<T>(
  firestore: Firestore,
  work: (transaction: Transaction) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  return firestore.runTransaction(async (transaction) => {
    try {
      return await work(transaction);
    } catch (error) {
      if (!hasStatus(error, INVALID_ARGUMENT) || !/transaction is invalid or closed/i.test(String(error))) throw error;
      // One of several parallel reads met the conflict, and the others fail like this, which the client would not retry.
      throw Object.assign(new Error('the transaction is closed', { cause: error }), { code: ABORTED });
    }
  }, options);
}

const CHANGED_AT_ONCE = 200;

/** A transaction or the client itself. */
export interface DocumentReader {
  getAll(...refs: DocumentReference[]): Promise<DocumentSnapshot[]>;
}

/** Every document of the query once, even while documents after it change. */
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
 * Applies `change` to every document of the query, in batches of one transaction each, and returns their number. The query must no longer
 * find a changed document.
 */
export async function changeAll(
  firestore: Firestore,
  query: Query,
  change: (transaction: Transaction, document: QueryDocumentSnapshot) => void,
): Promise<number> {
  for (let changed = 0; ; ) {
    const some = await transact(firestore, async (transaction) => {
      const { docs } = await transaction.get(query.limit(CHANGED_AT_ONCE));
      for (const document of docs) change(transaction, document);
      return docs.length;
    });
    changed += some;
    if (some < CHANGED_AT_ONCE) return changed;
  }
}

export async function countDocuments(query: Query, transaction: Transaction | null = null): Promise<number> {
  const counted = query.count();
  return (await (transaction === null ? counted.get() : transaction.get(counted))).data().count;
}

/** The number of a new document of a collection whose documents are numbered. */
export async function nextNumber(transaction: Transaction, collection: Query): Promise<number> {
  const { docs } = await transaction.get(collection.orderBy('number', 'desc').limit(1));
  return Number(docs[0]?.get('number') ?? 0) + 1;
}

/**
 * The documents that stored records name by ids from browsers. Firestore fails a whole read or transaction if it refuses one of its ids,
 * so a stored id that no store accepts names no document. The log says how many there were.
 */
export function documentsNamed(
  firestore: Firestore,
  collection: typeof COLLECTIONS.sessions | typeof COLLECTIONS.visitors,
  ids: readonly unknown[],
  log: Log,
): DocumentReference[] {
  const given = new Set(ids.filter((id) => typeof id === 'string' && id !== ''));
  const valid = [...given].filter(isId);
  const refused = given.size - valid.length;
  if (refused > 0) log('warn', 'stored-ids-ignored', { collection, ids: refused, reason: REFUSED });
  return valid.map((id) => firestore.collection(collection).doc(id));
}

const REFUSED = 'Firestore refuses them as ids of documents';
