import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { constants } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { tempFolder } from '@early-access-kit/testkit/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';
import { onThread, threadReplies } from '../../fixtures/worker-threads.ts';
import { checkpoints } from './checkpoints.ts';
import { openDatabase } from './database.ts';

/** As many writes as make a checkpoint due. */
const DUE_WRITES = 512;
/** Enough pages for the WAL to be restarted by the writer. */
const LONG_WAL_PAGES = 10_000;

function opened() {
  const file = join(tempFolder(), 'checkpoints.sqlite');
  const db = openDatabase(file);
  // Empties the WAL, so that the setup does not count.
  db.exec('CREATE TABLE items (value TEXT NOT NULL); PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0');
  const insert = db.prepare('INSERT INTO items VALUES (?)');
  return { file, db, write: () => insert.run('x'.repeat(4_000)) };
}

it('copies the WAL into the file while the writer continues', async () => {
  const { file, db, write } = opened();
  const wal = checkpoints(file, db);
  const before = statSync(file).size;
  wal.note(DUE_WRITES);
  await vi.waitFor(() => {
    write();
    wal.note(DUE_WRITES);
    expect(statSync(file).size).toBeGreaterThan(before);
  });
  wal.close();
  db.close();
});

it('starts its thread only when a checkpoint is due, which does not keep the process alive', async () => {
  const { file, db } = opened();
  const wal = checkpoints(file, db);
  const unref = vi.spyOn(Worker.prototype, 'unref');
  onTestFinished(() => void unref.mockRestore());
  const started = vi.fn();
  onThread(started);
  wal.note(DUE_WRITES - 1);
  checkpoints(file, db).close();
  await new Promise(setImmediate);
  expect(started).not.toHaveBeenCalled();
  wal.note(1);
  wal.note(DUE_WRITES);
  await new Promise(setImmediate);
  expect(started).toHaveBeenCalledOnce();
  expect(unref).toHaveBeenCalledOnce();
  wal.close();
  db.close();
});

it('closes the file when it is closed, and waits for that, so that no WAL is left', async () => {
  const { file, db, write } = opened();
  const waiting = vi.spyOn(Atomics, 'wait');
  onTestFinished(() => void waiting.mockRestore());
  const replies = threadReplies();
  const wal = checkpoints(file, db);
  write();
  wal.note(DUE_WRITES);
  // Now the thread has opened the file.
  await vi.waitFor(() => expect(replies).toHaveBeenCalled());
  wal.close();
  db.close();
  expect(existsSync(`${file}-wal`)).toBe(false);
  expect(waiting).toHaveReturnedWith(expect.stringMatching(/^(ok|not-equal)$/));
});

it('replaces a thread that has exited', async () => {
  const { db } = opened();
  const folder = join(tempFolder(), 'missing');
  const file = join(folder, 'late.sqlite');
  const threads: Worker[] = [];
  onThread((thread) => threads.push(thread));
  const wal = checkpoints(file, db);
  wal.note(DUE_WRITES);
  await vi.waitFor(() => {
    expect(threads).not.toEqual([]);
    expect(threads.filter(({ threadId }) => threadId !== -1)).toEqual([]);
  });

  mkdirSync(folder);
  const late = openDatabase(file);
  late.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0; CREATE TABLE items (value TEXT)');
  late.prepare('INSERT INTO items VALUES (?)').run('x'.repeat(100_000));
  const before = statSync(file).size;
  wal.note(DUE_WRITES);
  await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(before));
  wal.close();
  late.close();
  db.close();
});

it('leaves a short WAL to the thread', async () => {
  const { file, db, write } = opened();
  const asked = vi.fn();
  db.setAuthorizer((action, pragma) => {
    if (action === constants.SQLITE_PRAGMA && pragma === 'wal_checkpoint') asked();
    return constants.SQLITE_OK;
  });
  const replies = threadReplies();
  const wal = checkpoints(file, db);
  write();
  wal.note(DUE_WRITES);
  await vi.waitFor(() => expect(replies).toHaveBeenCalled());
  expect(asked).not.toHaveBeenCalled();
  wal.close();
  db.close();
});

it('ignores a failing checkpoint of the writer', async () => {
  const { file, db, write } = opened();
  const wal = checkpoints(file, db);
  const refused = vi.fn(() => constants.SQLITE_DENY);
  db.exec('BEGIN');
  for (let page = 0; page < LONG_WAL_PAGES; page += 1) write();
  db.exec('COMMIT');
  db.setAuthorizer((action, pragma) =>
    action === constants.SQLITE_PRAGMA && pragma === 'wal_checkpoint' ? refused() : constants.SQLITE_OK,
  );
  wal.note(DUE_WRITES);
  await vi.waitFor(() => expect(refused).toHaveBeenCalled());
  wal.close();
  db.close();
});

/** SQLite chooses a new salt each time the WAL restarts. */
function readSalt(file: string): string {
  const fd = openSync(file, 'r');
  const salt = Buffer.alloc(8);
  readSync(fd, salt, { position: 16 });
  closeSync(fd);
  return salt.toString('hex');
}

it('restarts a long WAL even if the writer added to it during the checkpoint', async () => {
  const { file, db, write } = opened();
  const wal = checkpoints(file, db);
  db.exec('BEGIN');
  for (let page = 0; page < LONG_WAL_PAGES; page += 1) write();
  db.exec('COMMIT');
  const first = readSalt(`${file}-wal`);
  db.exec('BEGIN IMMEDIATE');
  write();
  wal.note(DUE_WRITES);
  // Blocks the event loop, as transactions do.
  const until = performance.now() + 10_000;
  while (statSync(file).size < LONG_WAL_PAGES * 4_096 && performance.now() < until);
  db.exec('COMMIT');
  await vi.waitFor(() => {
    write();
    expect(readSalt(`${file}-wal`)).not.toBe(first);
  });
  wal.close();
  db.close();
});
