import type { Rows, Statement, Steps, Transaction } from './statement.ts';

/** Runs transactions on one database. Everything rejects with a `StorageError` if the database fails. */
export interface SqlDatabase {
  /** Runs one statement that only reads. */
  query(statement: Statement): Promise<Rows>;
  /** Reads one state of the database with several statements. */
  read<T>(work: () => Steps<T>): Promise<T>;
  /** Stores everything or nothing, and no other write comes between. `work` may run twice, but is stored once. */
  write<T>(work: () => Steps<T>): Promise<T>;
  /** Like `write`, but other transactions may change the rows that it has not locked. */
  claim<T>(work: () => Steps<T>): Promise<T>;
  /**
   * Like `write`, but `work` may be called once for several items that wait. It returns their results in the same
   * order.
   */
  batch<Item, Result>(
    work: (items: readonly Item[]) => Transaction<readonly Result[]>,
  ): (item: Item) => Promise<Result>;
}
