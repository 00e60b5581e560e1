import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { list, sql, type Transaction } from '../sql/statement.ts';
import { transactionRunner } from './run-transaction.ts';

function* numbers(count: number): Transaction<number> {
  const rows = Array.from({ length: count }, (_, n) => sql`(${n})`);
  return (yield* sql`VALUES ${list(rows)}`).length;
}

function* one(value: number): Transaction<number> {
  return (yield* sql`SELECT ${value}`).length;
}

describe('statements of a transaction', () => {
  function setUp() {
    const db = new DatabaseSync(':memory:');
    onTestFinished(() => db.close());
    const prepare = vi.spyOn(db, 'prepare');
    /** The texts that are compiled meanwhile. */
    const compiled = (work: () => void) => {
      prepare.mockClear();
      work();
      return prepare.mock.calls.map(([text]) => text).filter((text) => !text.includes('sqlite_schema'));
    };
    return { run: transactionRunner(db), compiled };
  }

  it('are compiled once for each call site, or for each text', () => {
    const { run, compiled } = setUp();
    expect(compiled(() => [run(one(1)), run(one(2)), run(numbers(2)), run(numbers(2))])).toEqual([
      'SELECT ?',
      'VALUES (?), (?)',
    ]);
  });

  it('are forgotten if there are many with lists of other lengths', () => {
    const { run, compiled } = setUp();
    const counts = Array.from({ length: 60 }, (_, index) => index + 1);
    expect(compiled(() => counts.map((count) => run(numbers(count))))).toHaveLength(60);
    expect(compiled(() => run(numbers(60)))).toEqual([]);
    expect(compiled(() => run(numbers(1)))).toEqual(['VALUES (?)']);
  });
});
