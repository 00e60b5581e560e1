import { join } from 'node:path';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './database.ts';
import { databaseHealth } from './health.ts';
import { inTransaction } from './transaction.ts';

function harness() {
  const file = join(tempFolder(), 'health.sqlite');
  const db = openDatabase(file);
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE kept (value TEXT NOT NULL UNIQUE)');
  const health = databaseHealth(db);
  const insert = db.prepare('INSERT INTO kept VALUES (?)');
  /** Writes, and tells how it ended. */
  function write(value: string): void {
    try {
      inTransaction(db, () => insert.run(value));
      health.note(null);
    } catch (failure) {
      health.note(failure);
    }
  }
  return { db, health, write };
}

it('finds by itself that writes fail, and that they do no longer', () => {
  const { db, health, write } = harness();
  db.exec('PRAGMA query_only = ON');
  expect(() => health.check()).not.toThrow();
  write('a');
  expect(() => health.check()).toThrow('attempt to write a readonly database');
  db.exec('PRAGMA query_only = OFF');
  expect(() => health.check()).not.toThrow();
});

it('forgets a failure once somebody has written', () => {
  const { db, health, write } = harness();
  // No room for a single page more.
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
  db.exec(`PRAGMA max_page_count = ${pages}`);
  write('x'.repeat(100_000));
  expect(() => health.check()).not.toThrow();
  write('short');
  db.exec('PRAGMA query_only = ON');
  expect(() => health.check()).not.toThrow();
});

it('takes a broken constraint for no failure of the database', () => {
  const { db, health, write } = harness();
  write('twice');
  write('twice');
  db.exec('PRAGMA query_only = ON');
  expect(() => health.check()).not.toThrow();
});

it('does not recover from damage', () => {
  const { health, write } = harness();
  health.note(Object.assign(new Error('database disk image is malformed'), { errcode: 11 | (3 << 8) }));
  write('elsewhere in the file');
  expect(() => health.check()).toThrow('restore a backup');
});
