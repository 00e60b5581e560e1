import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { emptyWal, isBusy, openDatabase } from './database.ts';

const BUSY = Object.assign(new Error('database is locked'), { errcode: 5 });

afterEach(() => vi.restoreAllMocks());

/** Does something before each statement of SQL that begins with that, on any database. */
function onExec(start: string, before: (db: DatabaseSync) => void) {
  const { exec } = DatabaseSync.prototype;
  return vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, sql) {
    if (sql.startsWith(start)) before(this);
    exec.call(this, sql);
  });
}

describe('openDatabase', () => {
  it('reopens a file without changing its data', () => {
    const file = join(tempFolder(), 'again.sqlite');
    const first = openDatabase(file);
    first.exec("INSERT INTO erased_sessions VALUES ('hash-one', 1)");
    first.close();
    const second = openDatabase(file);
    expect(second.prepare('SELECT id_hash FROM erased_sessions').all()).toEqual([{ id_hash: 'hash-one' }]);
    second.close();
  });

  it('refuses a file that is not a database, at once', () => {
    const file = join(tempFolder(), 'letter.sqlite');
    writeFileSync(file, 'Dear reader, this is a letter and no database at all.'.repeat(20));
    const waited = vi.spyOn(Atomics, 'wait');
    expect(() => openDatabase(file)).toThrow(/not a database/);
    expect(waited).not.toHaveBeenCalled();
  });

  it('refuses a file that may only be read, and lets go of it', () => {
    const file = join(tempFolder(), 'read-only.sqlite');
    openDatabase(file).close();
    onExec('BEGIN IMMEDIATE', (db) => db.exec('PRAGMA query_only = ON'));
    const closed = vi.spyOn(DatabaseSync.prototype, 'close');
    expect(() => openDatabase(file)).toThrow('attempt to write a readonly database');
    expect(closed).toHaveBeenCalledOnce();
  });

  it('gives up after five seconds if another process does not stop creating the file', () => {
    onExec('PRAGMA journal_mode', () => {
      throw BUSY;
    });
    const waited = vi.spyOn(Atomics, 'wait').mockReturnValue('timed-out');
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(5_000).mockReturnValueOnce(5_001);
    expect(() => openDatabase(join(tempFolder(), 'busy.sqlite'))).toThrow(BUSY);
    expect(waited).toHaveBeenCalledOnce();
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
});

describe('emptyWal', () => {
  it('says whether another process is in the way', () => {
    const file = join(tempFolder(), 'wal.sqlite');
    const other = openDatabase(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; UPDATE totals SET signups = 0; COMMIT');
    const db = new DatabaseSync(file, { timeout: 0 });
    expect(emptyWal(db)).toBe(false);
    other.close();
    expect(emptyWal(db)).toBe(true);
    db.close();
  });

  it('fails in a transaction', () => {
    const db = openDatabase(join(tempFolder(), 'wal.sqlite'));
    db.exec('BEGIN; UPDATE totals SET signups = 0');
    expect(() => emptyWal(db)).toThrow('locked');
    db.close();
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
