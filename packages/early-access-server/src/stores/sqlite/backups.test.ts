import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { copyDatabase } from './backups.ts';

/** A database in WAL mode of some 8 MB. */
function createFile() {
  const file = join(tempFolder(), 'large.sqlite');
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE parts (content BLOB)');
  db.exec(
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO parts SELECT zeroblob(4000) FROM n',
  );
  return { db, file, target: join(tempFolder(), 'copy.sqlite') };
}

it('flushes the copy step by step', async () => {
  const { db, file, target } = createFile();
  db.close();
  const { fsyncSync } = fs;
  const sizes: number[] = [];
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    sizes.push(statSync(target).size);
    fsyncSync(descriptor);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  await copyDatabase(file, target);
  const written = sizes.map((size, index) => size - (sizes[index - 1] ?? 0));
  expect(sizes.length).toBeGreaterThan(20);
  expect(Math.max(...written)).toBeLessThan(1_000_000);
});

it('copies what was there at its start, while another process writes all the time', async () => {
  const { db, file, target } = createFile();
  const script = `const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(${JSON.stringify(file)}, { timeout: 5000 });
    process.stdout.write('open');
    for (;;) db.exec('INSERT INTO parts VALUES (zeroblob(10))');`;
  const writer = spawn(process.execPath, ['--no-warnings', '--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(writer.stdout, 'data');
  const count = (one: DatabaseSync) => Number(one.prepare('SELECT count(*) AS parts FROM parts').get()?.parts);
  const before = count(db);
  await copyDatabase(file, target);
  const after = count(db);
  writer.kill();
  await once(writer, 'exit');
  db.close();
  const copy = new DatabaseSync(target, { readOnly: true });
  expect(count(copy)).toBeGreaterThanOrEqual(before);
  expect(count(copy)).toBeLessThan(after);
  expect(copy.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
  copy.close();
});

it('rejects a damaged database', async () => {
  const { db, file, target } = createFile();
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, Buffer.alloc(4_096, 255), 0, 4_096, 4_096);
  fs.closeSync(descriptor);
  await expect(copyDatabase(file, target)).rejects.toThrow(/damaged|malformed/);
});
