import type { Rows, Statement, Steps, Transaction } from './statement.ts';

/** Runs transactions on a database. All methods reject with a `StorageError` if the database fails. */
export interface SqlDatabase {
  /** Runs a single read-only statement. */
  query(statement: Statement): Promise<Rows>;
  /** Reads a consistent state of the database with several statements. */
  read<T>(work: () => Steps<T>): Promise<T>;
  /** Stores everything or nothing, with no other writes in between. `work` may run twice, but is stored once. */
  write<T>(work: () => Steps<T>): Promise<T>;
  /** Like `write`, but other transactions may change rows that it has not locked. */
  claim<T>(work: () => Steps<T>): Promise<T>;
  /** Like `write`, but `work` may be called once for several waiting items. Returns their results in the same order. */
  batch<Item, Result>(
    work: (items: readonly Item[]) => Transaction<readonly Result[]>,
  ): (item: Item) => Promise<Result>;
}
