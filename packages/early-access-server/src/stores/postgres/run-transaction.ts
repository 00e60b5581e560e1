import type { SqlDatabase } from '../sql/sql-database.ts';
import { Dialect, type Rows, type SqlValue, type Statement, type Transaction } from '../sql/statement.ts';
import type { Queries } from './connection.ts';
import type { Database } from './database.ts';

const DIALECT = new Dialect(
  {
    position: 'position',
    unindexed: '',
    lock: 'FOR NO KEY UPDATE',
    lockFree: 'FOR UPDATE SKIP LOCKED',
    each: 'jsonb_array_elements',
    array: 'json_build_array',
  },
  (table) => `early_access.${table}`,
  (position) => `$${position}`,
);

/** Runs the transactions of `stores/sql`, one statement after the other. */
export function sqlDatabase(database: Database): SqlDatabase {
  return {
    query: (statement) => database.read((queries) => execute(queries, statement)),
    read: (work) => database.snapshot((queries) => runTransaction(queries, work())),
    write: (work) => database.write((queries) => runTransaction(queries, work())),
    claim: (work) => database.claim((queries) => runTransaction(queries, work())),
    batch: (work) => database.batch((queries, items) => runTransaction(queries, work(items))),
  };
}

/** Runs a transaction of `stores/sql` inside one that has begun. */
export async function runTransaction<T>(queries: Queries, transaction: Transaction<T>): Promise<T> {
  let step = transaction.next();
  while (!step.done) step = transaction.next(await execute(queries, step.value));
  return step.value;
}

async function execute(queries: Queries, statement: Statement): Promise<Rows> {
  const values: SqlValue[] = [];
  const text = DIALECT.build(statement, values);
  return queries.unsafe(text, values);
}
