import type { StoredDocument } from '../data/document.ts';
import { Documents, type ReadonlyDocuments } from '../data/documents.ts';
import type { Names } from '../data/names.ts';
import type { Micros } from '../data/time.ts';
import type { MapFields, Value } from '../data/value.ts';
import { type Aggregation, aggregate } from '../query/aggregate.ts';
import type { Query } from '../query/query.ts';
import { runQuery, runUnordered } from '../query/run.ts';
import { invalid, StatusError } from '../status.ts';
import { computeEffect, findConflict } from './apply-write.ts';
import { CallCounter } from './calls.ts';
import type { Guard } from './guard.ts';
import { Locks } from './locks.ts';
import { type Consistency, type Transaction, Transactions } from './transactions.ts';
import type { Write } from './write.ts';

export interface EngineOptions {
  readonly names: Names;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly lockTimeoutMs: number;
  /** Called with each document that a commit creates. */
  readonly onCreated?: ((document: StoredDocument) => void) | undefined;
}

export interface CommitResult {
  readonly commitTime: Micros;
  readonly writes: readonly { readonly updateTime: Micros | undefined; readonly transformResults: readonly Value[] }[];
}

/** The result of a read, and the transaction if it began one. */
export interface ReadResult<T> {
  readonly result: T;
  readonly readTime: Micros;
  readonly newTransaction: string | undefined;
}

/**
 * The database. A commit takes effect in one synchronous step, all or nothing. A read-write transaction locks the
 * documents that it reads, and its queries run again before it commits, so transactions are serialisable.
 */
export class Engine {
  readonly calls = new CallCounter();
  readonly #options: EngineOptions;
  readonly #transactions = new Transactions();
  readonly #locks: Locks;
  readonly #documents = new Documents();
  #lastTime: Micros = 0n;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.#locks = new Locks(options.lockTimeoutMs);
  }

  get documents(): ReadonlyDocuments {
    return this.#documents;
  }

  clear(): void {
    this.#documents.clear();
  }

  /** Stores a document without access control and billing. */
  put(path: string, fields: MapFields): void {
    const time = this.#nextTime(this.#requestTime());
    this.#lastTime = time;
    this.#documents.put({ path, fields, createTime: time, updateTime: time });
  }

  begin(readOnly: boolean): string {
    return this.#begin(readOnly).id;
  }

  /** Does nothing if the transaction has ended. */
  rollback(id: string): void {
    if (this.#transactions.has(id)) this.#locks.release(this.#transactions.end(id).owner);
  }

  async commit(writes: readonly Write[], transactionId: string | undefined, guard: Guard): Promise<CommitResult> {
    const transaction = transactionId === undefined ? undefined : this.#transactions.get(transactionId);
    const owner = transaction?.owner ?? Symbol('commit');
    try {
      for (const path of sortedPaths(writes)) await this.#locks.acquire(owner, path);
      if (transaction !== undefined) this.#check(transaction, writes);
      return this.#commitNow(writes, guard);
    } finally {
      if (transaction !== undefined) this.#transactions.end(transaction.id);
      this.#locks.release(owner);
    }
  }

  /** Maps each path to its document, or to undefined. */
  async get(
    paths: readonly string[],
    consistency: Consistency,
    guard: Guard,
  ): Promise<ReadResult<ReadonlyMap<string, StoredDocument | undefined>>> {
    const transaction = this.#join(consistency);
    if (transaction !== undefined && transaction.snapshot === undefined) {
      await this.#lock(transaction, [...new Set(paths)].sort());
    }
    const source = transaction?.snapshot ?? this.#documents;
    const view = (path: string) => source.get(path);
    const requestTime = this.#requestTime();
    const result = new Map(paths.map((path) => [path, view(path)]));
    for (const [path, document] of result) guard.get(path, document, view, requestTime);
    this.calls.documentReads += result.size;
    return { result, ...this.#readStamp(consistency, transaction) };
  }

  async query(query: Query, consistency: Consistency, guard: Guard): Promise<ReadResult<readonly StoredDocument[]>> {
    const transaction = this.#join(consistency);
    guard.list(query, (path) => this.#documents.get(path), this.#requestTime());
    const run = () => runQuery(query, this.#documents, this.#options.names);
    let result =
      transaction?.snapshot === undefined ? run() : runQuery(query, transaction.snapshot, this.#options.names);
    if (transaction !== undefined && transaction.snapshot === undefined) {
      await this.#lock(
        transaction,
        result.map(({ path }) => path),
      );
      result = run();
      transaction.queries.push({ run, saw: result });
    }
    this.calls.documentReads += Math.max(1, result.length + query.offset);
    return { result, ...this.#readStamp(consistency, transaction) };
  }

  async aggregate(
    query: Query,
    aggregations: readonly Aggregation[],
    consistency: Consistency,
    guard: Guard,
  ): Promise<ReadResult<Readonly<Record<string, Value>>>> {
    const transaction = this.#join(consistency);
    guard.list(query, (path) => this.#documents.get(path), this.#requestTime());
    const run = () => runUnordered(query, this.#documents, this.#options.names);
    const documents =
      transaction?.snapshot === undefined ? run() : runUnordered(query, transaction.snapshot, this.#options.names);
    if (transaction !== undefined && transaction.snapshot === undefined) {
      transaction.queries.push({ run, saw: documents });
    }
    this.calls.aggregationReads += Math.max(1, Math.ceil(documents.length / 1000));
    return { result: aggregate(documents, aggregations), ...this.#readStamp(consistency, transaction) };
  }

  #commitNow(writes: readonly Write[], guard: Guard): CommitResult {
    const requestTime = this.#requestTime();
    const commitTime = this.#nextTime(requestTime);
    const changes = new Map<string, StoredDocument | undefined>();
    const before = (path: string) => this.#documents.get(path);
    const after = (path: string) => (changes.has(path) ? changes.get(path) : before(path));
    const steps = writes.map((write) => {
      const current = after(write.path);
      const effect = computeEffect(write, current, requestTime, commitTime);
      changes.set(write.path, effect.after);
      return { write, effect, conflict: findConflict(write, current, this.#options.names.full(write.path)) };
    });
    // All writes to a document are one for the rules.
    for (const path of changes.keys()) {
      const method = chooseMethod(
        writes.filter((write) => write.path === path),
        before(path),
      );
      guard.write({ method, path, before: before(path), after: after(path) }, before, requestTime);
    }
    for (const { conflict } of steps) if (conflict !== undefined) throw conflict;
    this.#lastTime = commitTime;
    this.#apply(changes);
    for (const { write } of steps) this.#bill(write);
    return {
      commitTime,
      writes: steps.map(({ write, effect }) => ({
        updateTime: effect.after?.updateTime ?? (write.kind === 'verify' ? commitTime : undefined),
        transformResults: effect.transformResults,
      })),
    };
  }

  #apply(changes: ReadonlyMap<string, StoredDocument | undefined>): void {
    for (const [path, document] of changes) {
      const created = document !== undefined && this.#documents.get(path) === undefined;
      if (document === undefined) this.#documents.delete(path);
      else this.#documents.put(document);
      if (created) this.#options.onCreated?.(document);
    }
  }

  #bill(write: Write): void {
    if (write.kind === 'update') this.calls.writes += 1;
    if (write.kind === 'delete') this.calls.deletes += 1;
  }

  #check(transaction: Transaction, writes: readonly Write[]): void {
    if (transaction.snapshot !== undefined && writes.some((write) => write.kind !== 'verify')) {
      throw invalid('Cannot modify entities in a read-only transaction.');
    }
    for (const { run, saw } of transaction.queries) {
      const now = run();
      if (now.length !== saw.length || now.some((document, place) => document !== saw[place])) {
        throw new StatusError('ABORTED', 'The results of a query of this transaction have changed. Please try again.');
      }
    }
  }

  /** Ends a transaction that cannot get its locks, so that the locks it holds are released. */
  async #lock(transaction: Transaction, paths: readonly string[]): Promise<void> {
    try {
      for (const path of paths) await this.#locks.acquire(transaction.owner, path);
    } catch (error) {
      this.rollback(transaction.id);
      throw error;
    }
  }

  #begin(readOnly: boolean): Transaction {
    return this.#transactions.begin(readOnly ? this.#documents.snapshot() : undefined);
  }

  #join(consistency: Consistency): Transaction | undefined {
    if (consistency.kind === 'none') return undefined;
    return consistency.kind === 'in' ? this.#transactions.get(consistency.id) : this.#begin(consistency.readOnly);
  }

  #readStamp(consistency: Consistency, transaction: Transaction | undefined) {
    let readTime = this.#requestTime();
    if (readTime < this.#lastTime) readTime = this.#lastTime;
    return {
      readTime,
      newTransaction: consistency.kind === 'new' ? transaction?.id : undefined,
    };
  }

  #nextTime(requestTime: Micros): Micros {
    return requestTime > this.#lastTime ? requestTime : this.#lastTime + 1n;
  }

  /** Server timestamps have whole milliseconds. */
  #requestTime(): Micros {
    return BigInt(Math.floor(this.#options.now())) * 1000n;
  }
}

/** An update with a precondition is checked by the rules for the document that the caller expects, not for the stored one. */
function chooseMethod(writes: readonly Write[], current: StoredDocument | undefined) {
  const kind = writes.at(-1)?.kind;
  if (kind !== 'update') return kind === 'delete' ? 'delete' : 'get';
  const precondition = writes[0]?.precondition ?? { kind: 'none' };
  if (precondition.kind === 'none') return current === undefined ? 'create' : 'update';
  return precondition.kind === 'exists' && !precondition.exists ? 'create' : 'update';
}

/** Every commit locks in the same order, so commits cannot deadlock. */
function sortedPaths(writes: readonly Write[]): readonly string[] {
  return [...new Set(writes.map((write) => write.path))].sort();
}
