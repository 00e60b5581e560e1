import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { constants } from 'node:sqlite';
import type { Worker } from 'node:worker_threads';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { checkpoints } from './checkpoints.ts';
import { openDatabase } from './database.ts';

/** More than a checkpoint is asked for at. */
const MANY = 1_000;
/** More than a log may be long. */
const PAGES = 10_000;

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

it('replaces a thread that has died, and makes the next checkpoint with the new one', async () => {
  const { db } = opened();
  const folder = join(tempFolder(), 'missing');
  const file = join(folder, 'late.sqlite');
  const threads: Worker[] = [];
  const collect = (thread: Worker) => void threads.push(thread);
  process.on('worker', collect);
  onTestFinished(() => void process.off('worker', collect));
  const log = checkpoints(file, db);
  log.note(MANY);
  await vi.waitFor(
    () => {
      expect(threads).not.toEqual([]);
      expect(threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
    },
    { timeout: 10_000 },
  );

  mkdirSync(folder);
  const late = openDatabase(file);
  late.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0; CREATE TABLE kept (value TEXT)');
  late.prepare('INSERT INTO kept VALUES (?)').run('x'.repeat(100_000));
  const before = statSync(file).size;
  log.note(MANY);
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(before), { timeout: 10_000 });
  log.close();
  late.close();
  db.close();
});

it('leaves a short log to the thread', async () => {
  const { file, db, write } = opened();
  const asked = vi.fn();
  db.setAuthorizer((action, pragma) => {
    if (action === constants.SQLITE_PRAGMA && pragma === 'wal_checkpoint') asked();
    return constants.SQLITE_OK;
  });
  const replies = vi.fn();
  const listen = (thread: Worker) => void thread.on('message', replies);
  process.on('worker', listen);
  onTestFinished(() => void process.off('worker', listen));
  const log = checkpoints(file, db);
  write();
  log.note(MANY);
  await vi.waitFor(() => expect(replies).toHaveBeenCalled(), { timeout: 10_000 });
  expect(asked).not.toHaveBeenCalled();
  log.close();
  db.close();
});

it('goes on where the log cannot be copied by the writer', async () => {
  const { file, db, write } = opened();
  const log = checkpoints(file, db);
  const refused = vi.fn(() => constants.SQLITE_DENY);
  db.exec('BEGIN');
  for (let page = 0; page < PAGES; page += 1) write();
  db.exec('COMMIT');
  db.setAuthorizer((action, pragma) =>
    action === constants.SQLITE_PRAGMA && pragma === 'wal_checkpoint' ? refused() : constants.SQLITE_OK,
  );
  log.note(MANY);
  await vi.waitFor(() => expect(refused).toHaveBeenCalled(), { timeout: 10_000 });
  log.close();
  db.close();
});

/** Drawn anew each time the log starts again. */
function saltOf(log: string): string {
  const fd = openSync(log, 'r');
  const salt = Buffer.alloc(8);
  readSync(fd, salt, { position: 16 });
  closeSync(fd);
  return salt.toString('hex');
}

it('lets a long log start again though the writer has added to it meanwhile', async () => {
  const { file, db, write } = opened();
  const log = checkpoints(file, db);
  db.exec('BEGIN');
  for (let page = 0; page < PAGES; page += 1) write();
  db.exec('COMMIT');
  const first = saltOf(`${file}-wal`);
  db.exec('BEGIN IMMEDIATE');
  write();
  log.note(MANY);
  // Without a turn of the event loop, as transactions are.
  const until = performance.now() + 10_000;
  while (statSync(file).size < PAGES * 4_096 && performance.now() < until);
  db.exec('COMMIT');
  await vi.waitFor(
    () => {
      write();
      expect(saltOf(`${file}-wal`)).not.toBe(first);
    },
    { timeout: 10_000 },
  );
  log.close();
  db.close();
});
