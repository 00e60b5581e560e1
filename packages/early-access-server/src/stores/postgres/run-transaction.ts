import type { SqlDatabase } from '../sql/sql-database.ts';
import { Dialect, type Rows, type SqlValue, Statement, type Transaction } from '../sql/statement.ts';
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

/** Runs a transaction of `stores/sql` inside one that has started. */
export async function runTransaction<T>(queries: Queries, transaction: Transaction<T>): Promise<T> {
  let step = transaction.next();
  while (!step.done) step = transaction.next(await execute(queries, step.value));
  return step.value;
}

/** Makes a step of a transaction of `stores/sql` from a function with its own statements. */
export function* awaitStep<T>(work: (queries: Queries) => Promise<T>): Transaction<T> {
  const results: T[] = [];
  yield new Step(async (queries) => {
    results.push(await work(queries));
    return NO_ROWS;
  });
  for (const result of results) return result;
  throw new TypeError('the step was not taken');
}

class Step extends Statement {
  readonly run: (queries: Queries) => Promise<Rows>;

  constructor(run: (queries: Queries) => Promise<Rows>) {
    super([], []);
    this.run = run;
  }
}

const NO_ROWS: Rows = Object.assign([], { count: 0 });

async function execute(queries: Queries, statement: Statement): Promise<Rows> {
  if (statement instanceof Step) return statement.run(queries);
  const values: SqlValue[] = [];
  const text = DIALECT.build(statement, values);
  return queries.unsafe(text, values);
}
