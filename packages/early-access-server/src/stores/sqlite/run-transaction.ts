import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Dialect, fixedParameters, type Rows, type SqlValue, type Statement, type Steps } from '../sql/statement.ts';

/** Runs a transaction of `stores/sql` synchronously. */
export type RunTransaction = <T>(steps: Steps<T>) => T;

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

/** Lists of different lengths result in different texts, and a statement with hundreds of rows takes 200 kB. */
const MAX_TEXTS = 50;

export const DIALECT = new Dialect(
  {
    unindexed: '+',
    lock: '',
    lockFree: '',
    each: 'json_each',
    jsonb: '',
    array: 'json_array',
    json: '',
    ascii: '',
    find: 'instr',
    bigint: 'INTEGER',
    key: 'TEXT',
    id: 'INTEGER PRIMARY KEY',
    uniqueId: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    andId: '',
    rows: 'STRICT',
    keyed: 'STRICT, WITHOUT ROWID',
  },
  (table) => table,
  () => '?',
);

/** Prepares each statement once, cached by its call site if the text is fixed, otherwise by its text. */
export function transactionRunner(db: DatabaseSync): RunTransaction {
  const byCallSite = new WeakMap<readonly string[], Prepared>();
  const byText = new Map<string, Prepared>();

  function prepare(text: string): Prepared {
    // Inside a transaction, SQLite cannot compile a write if another process has rewritten the file since this
    // connection last read the schema.
    db.prepare('SELECT 1 FROM sqlite_schema').get();
    const statement = db.prepare(text);
    return { statement, returnsRows: statement.columns().length > 0 };
  }

  function preparedByText(text: string): Prepared {
    const known = byText.get(text);
    if (known !== undefined) return known;
    const prepared = prepare(text);
    byText.set(text, prepared);
    const [oldest = ''] = byText.keys();
    if (byText.size > MAX_TEXTS) byText.delete(oldest);
    return prepared;
  }

  function getPrepared(statement: Statement): Prepared {
    const known = byCallSite.get(statement.texts);
    if (known !== undefined) return known;
    const prepared = prepare(DIALECT.build(statement, []));
    byCallSite.set(statement.texts, prepared);
    return prepared;
  }

  function execute(statement: Statement): Rows {
    const fixed = fixedParameters(statement);
    if (fixed !== undefined) return readRows(getPrepared(statement), fixed);
    const values: SqlValue[] = [];
    return readRows(preparedByText(DIALECT.build(statement, values)), values);
  }

  return (steps) => {
    const transaction = steps[Symbol.iterator]();
    let step = transaction.next();
    while (!step.done) step = transaction.next(execute(step.value));
    return step.value;
  };
}

function readRows({ statement, returnsRows }: Prepared, values: readonly SqlValue[]): Rows {
  if (!returnsRows) return withCount([], Number(statement.run(...values).changes));
  const rows = statement.all(...values);
  return withCount(rows, rows.length);
}

function withCount<T extends object>(rows: T, count: number): T & { readonly count: number } {
  return Object.assign(rows, { count });
}
