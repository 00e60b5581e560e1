import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it, vi } from 'vitest';
import { isBusy, openDatabase } from './database.ts';

describe('openDatabase', () => {
  it('reopens a file without changing its data', () => {
    const file = join(tempFolder(), 'again.sqlite');
    const first = openDatabase(file);
    first.exec("INSERT INTO visitors VALUES ('visitor-one', 1)");
    first.close();
    const second = openDatabase(file);
    expect(second.prepare('SELECT visitor_id FROM visitors').all()).toEqual([{ visitor_id: 'visitor-one' }]);
    second.close();
  });

  it('refuses a file with a newer schema', () => {
    const file = join(tempFolder(), 'newer.sqlite');
    const db = openDatabase(file);
    db.exec('PRAGMA user_version = 99');
    db.close();
    expect(() => openDatabase(file)).toThrow(/schema version 99/);
  });

  it('refuses a file that is not a database', () => {
    const file = join(tempFolder(), 'letter.sqlite');
    writeFileSync(file, 'Dear reader, this is a letter and no database at all.'.repeat(20));
    expect(() => openDatabase(file)).toThrow(/not a database/);
  });

  it('waits for another process that is creating the same file', async () => {
    const file = join(tempFolder(), 'shared.sqlite');
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const other = new Worker(
      `const { workerData: { file, gate } } = require('node:worker_threads');
       const db = new (require('node:sqlite').DatabaseSync)(file);
       db.exec('BEGIN IMMEDIATE; CREATE TABLE theirs (x)');
       Atomics.store(gate, 0, 1);
       Atomics.notify(gate, 0);
       Atomics.wait(gate, 0, 1, 10_000);
       Atomics.wait(gate, 0, 2, 50);
       db.exec('COMMIT');`,
      { eval: true, workerData: { file, gate } },
    );
    await Atomics.waitAsync(gate, 0, 0).value;
    Atomics.store(gate, 0, 2);
    Atomics.notify(gate, 0);
    const db = openDatabase(file);
    expect(db.prepare("SELECT count(*) AS tables FROM sqlite_schema WHERE name = 'theirs'").get()).toEqual({
      tables: 1,
    });
    db.close();
    await other.terminate();
  });

  it('writes to the disk before it says so, overwrites what is deleted, and checks references', () => {
    const db = openDatabase(join(tempFolder(), 'settings.sqlite'));
    const settings = ['synchronous', 'secure_delete', 'foreign_keys', 'journal_mode', 'busy_timeout'];
    const values = settings.map((name) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    expect(values).toEqual([2, 1, 1, 'wal', 5_000]);
    db.close();
  });

  it('rewrites the file once if the schema asks for it', () => {
    const file = join(tempFolder(), 'rewritten.sqlite');
    const first = openDatabase(file);
    first.exec("INSERT INTO pending_tasks VALUES ('rewrite-file'); CREATE TABLE large (value); DROP TABLE large");
    first.close();
    const log = vi.fn();
    openDatabase(file, log).close();
    expect(log.mock.calls).toEqual([
      ['info', 'database-rewriting', { megabytes: 1 }],
      ['info', 'database-rewritten', { seconds: 0 }],
    ]);
    openDatabase(file, log).close();
    expect(log).toHaveBeenCalledTimes(2);
  });
});

it('isBusy knows the error of SQLite in plain and extended codes, and no other', () => {
  const error = (errcode: number) => Object.assign(new Error('database is locked'), { errcode });
  expect([error(5), error(5 | (2 << 8)), error(6), new Error('x'), { errcode: 5 }].map(isBusy)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
