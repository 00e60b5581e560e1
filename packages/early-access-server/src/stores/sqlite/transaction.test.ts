import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { inTransaction } from './transaction.ts';

it('inTransaction throws what went wrong, also if SQLite has rolled back already', () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE items (value TEXT)');
  const failing = (before: string) => () =>
    inTransaction(db, () => {
      db.exec("INSERT INTO items VALUES ('a')");
      db.exec(before);
      throw new Error('the disk is full');
    });
  expect(failing('SELECT 1')).toThrow('the disk is full');
  expect(failing('ROLLBACK')).toThrow('the disk is full');
  expect(db.prepare('SELECT * FROM items').all()).toEqual([]);
  db.close();
});
