import { join } from 'node:path';
import { constants } from 'node:sqlite';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { StorageError } from 'early-access-kit/core';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from './database.ts';
import { databaseHealth } from './health.ts';
import { inTransaction } from './transaction.ts';

function harness() {
  const file = join(tempFolder(), 'health.sqlite');
  const db = openDatabase(file);
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE items (value TEXT NOT NULL UNIQUE)');
  const health = databaseHealth(db);
  const insert = db.prepare('INSERT INTO items VALUES (?)');
  /** Writes and reports the result. */
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

it('detects by itself that writes fail, and that they work again', () => {
  const { db, health, write } = harness();
  db.exec('PRAGMA query_only = ON');
  expect(() => health.check()).not.toThrow();
  write('a');
  expect(() => health.check()).toThrow('attempt to write a readonly database');
  db.exec('PRAGMA query_only = OFF');
  expect(() => health.check()).not.toThrow();
  db.exec('PRAGMA query_only = ON');
  expect(() => health.check()).not.toThrow();
});

it('writes to see whether writes work again', () => {
  const { db, health, write } = harness();
  db.exec('PRAGMA query_only = ON');
  write('a');
  db.exec('PRAGMA query_only = OFF');
  const refused = (action: number) => action === constants.SQLITE_UPDATE;
  db.setAuthorizer((action) => (refused(action) ? constants.SQLITE_DENY : constants.SQLITE_OK));
  expect(() => health.check()).toThrow('not authorized');
});

it('recovers from a failure after a successful write', () => {
  const { db, health, write } = harness();
  // No room for another page.
  const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
  db.exec(`PRAGMA max_page_count = ${pages}`);
  write('x'.repeat(100_000));
  write('short');
  db.exec('PRAGMA query_only = ON');
  expect(() => health.check()).not.toThrow();
});

it("ignores a violated constraint and every other fault of the caller's", () => {
  const { db, health, write } = harness();
  write('twice');
  write('twice');
  health.note(new StorageError('invalid', 'no'));
  db.exec('PRAGMA query_only = ON');
  expect(() => health.check()).not.toThrow();
});

it.each([11, 11 | (3 << 8), 26])('does not recover from damage (%i)', (errcode) => {
  const { health, write } = harness();
  health.note(Object.assign(new Error('database disk image is malformed'), { errcode }));
  write('elsewhere in the file');
  expect(() => health.check()).toThrow('restore a backup');
});
