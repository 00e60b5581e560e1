import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { constants } from 'node:sqlite';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../fixtures/temp-folder.ts';
import { checkpoints } from './checkpoints.ts';
import { openDatabase } from './database.ts';

/** More than a checkpoint is asked for at. */
const MANY = 1_000;

function opened() {
  const file = join(tempFolder(), 'checkpoints.sqlite');
  const db = openDatabase(file);
  // What the setting-up wrote is not to be counted.
  db.exec('CREATE TABLE kept (value TEXT NOT NULL); PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0');
  const insert = db.prepare('INSERT INTO kept VALUES (?)');
  return { file, db, write: () => insert.run('x'.repeat(4_000)) };
}

it('copies the log into the file while the writer goes on', async () => {
  const { file, db, write } = opened();
  const log = checkpoints(file, db);
  const before = statSync(file).size;
  log.note(MANY);
  await vi.waitFor(
    () => {
      write();
      log.note(MANY);
      expect(statSync(file).size).toBeGreaterThan(before);
    },
    { timeout: 10_000 },
  );
  log.close();
  db.close();
});

it('starts its thread only where there is enough to do', async () => {
  const { file, db } = opened();
  const log = checkpoints(file, db);
  const started = vi.fn();
  process.on('worker', started);
  onTestFinished(() => void process.off('worker', started));
  log.note(10);
  await new Promise(setImmediate);
  expect(started).not.toHaveBeenCalled();
  log.note(MANY);
  log.note(MANY);
  await new Promise(setImmediate);
  expect(started).toHaveBeenCalledOnce();
  log.close();
  db.close();
});

it('has let go of the file when it is closed, so that no log is left', () => {
  const { file, db, write } = opened();
  const log = checkpoints(file, db);
  write();
  log.note(MANY);
  log.close();
  db.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
});

it('takes nobody with it where the file is out of reach', async () => {
  const { db } = opened();
  const log = checkpoints(join(tempFolder(), 'missing', 'nothing.sqlite'), db);
  log.note(MANY);
  log.close();
  // What a thread ends by is told in a later turn.
  await new Promise(setImmediate);
  log.note(MANY);
  log.close();
  db.close();
});

it('goes on where the log cannot be copied by the writer', async () => {
  const { file, db, write } = opened();
  const log = checkpoints(file, db);
  const refused = vi.fn(() => constants.SQLITE_DENY);
  db.exec('BEGIN');
  for (let page = 0; page < 10_000; page += 1) write();
  db.exec('COMMIT');
  db.setAuthorizer((action, pragma) =>
    action === constants.SQLITE_PRAGMA && pragma === 'wal_checkpoint' ? refused() : constants.SQLITE_OK,
  );
  log.note(MANY);
  await vi.waitFor(() => expect(refused).toHaveBeenCalled(), { timeout: 10_000 });
  log.close();
  db.close();
});

it('lets the log start again under a writer who never rests', async () => {
  const { file, db, write } = opened();
  const log = checkpoints(file, db);
  // Each fills a page. As much again as the longest log that is let be, several times.
  for (let commit = 0; commit < 400; commit += 1) {
    db.exec('BEGIN');
    for (let page = 0; page < 100; page += 1) write();
    db.exec('COMMIT');
    log.note(100);
    await new Promise(setImmediate);
  }
  expect(statSync(`${file}-wal`).size).toBeLessThan(20_000 * 4_096);
  log.close();
  db.close();
});
