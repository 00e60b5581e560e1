import { randomBytes } from 'node:crypto';
import type { StoredDocument } from '../data/document.ts';
import type { ReadonlyDocuments } from '../data/documents.ts';
import { optional, readObject, readString } from '../data/json.ts';
import { invalid } from '../status.ts';

/** How a request uses a transaction. */
export type Consistency =
  | { readonly kind: 'none' }
  | { readonly kind: 'in'; readonly id: string }
  | { readonly kind: 'new'; readonly readOnly: boolean };

/** A query of a transaction, which runs again before the commit. */
interface Repeatable {
  readonly run: () => readonly StoredDocument[];
  readonly saw: readonly StoredDocument[];
}

export interface Transaction {
  readonly id: string;
  /** The owner of its locks. */
  readonly owner: symbol;
  /** The documents when a read-only transaction began. */
  readonly snapshot: ReadonlyDocuments | undefined;
  readonly queries: Repeatable[];
}

export class Transactions {
  readonly #open = new Map<string, Transaction>();

  begin(snapshot: ReadonlyDocuments | undefined): Transaction {
    const id = randomBytes(12).toString('base64');
    const transaction = { id, owner: Symbol(id), snapshot, queries: [] };
    this.#open.set(id, transaction);
    return transaction;
  }

  get(id: string): Transaction {
    const transaction = this.#open.get(id);
    if (transaction === undefined) throw invalid('The referenced transaction has expired or is no longer valid.');
    return transaction;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  end(id: string): Transaction {
    const transaction = this.get(id);
    this.#open.delete(id);
    return transaction;
  }
}

/** Reads `transaction` and `newTransaction` of a read request. */
export function readConsistency(fields: Readonly<Record<string, unknown>>, at: string): Consistency {
  const id = optional(fields, 'transaction', at, readString);
  const options = fields.newTransaction;
  if (id !== undefined && options !== undefined) throw invalid(`${at} has both transaction and newTransaction`);
  if (options !== undefined) return { kind: 'new', readOnly: readReadOnly(options, `${at}.newTransaction`) };
  return id === undefined || id === '' ? { kind: 'none' } : { kind: 'in', id };
}

/** Reads the options of a new transaction. Returns true for a read-only one. */
export function readReadOnly(value: unknown, at: string): boolean {
  const options = value === undefined ? {} : readObject(value, at, ['readWrite', 'readOnly']);
  if (options.readWrite !== undefined && options.readOnly !== undefined) {
    throw invalid(`${at} has both readWrite and readOnly`);
  }
  if (options.readOnly !== undefined) readObject(options.readOnly, `${at}.readOnly`, []);
  if (options.readWrite !== undefined) {
    const readWrite = readObject(options.readWrite, `${at}.readWrite`, ['retryTransaction']);
    optional(readWrite, 'retryTransaction', at, readString);
  }
  return options.readOnly !== undefined;
}
