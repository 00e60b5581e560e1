import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';

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
});
