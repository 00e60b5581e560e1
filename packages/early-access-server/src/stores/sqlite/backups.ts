import { closeSync, fsyncSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { StoreFacts } from '../../app/ports/store.ts';
import { integerOrNull, text } from '../sql/row.ts';
import { sql, type Transaction } from '../sql/statement.ts';
import { createPrivateFile } from './private-file.ts';

/** Pages copied between flushes: 256 kB. */
const FLUSHED_PAGES = 64;

/**
 * Writes the current content of the database in `file` to a new file, while others may write to it. Flushes the copy
 * after each step, because flushing it all at once would delay the commits of a server on the same disk. Rejects if the
 * database is damaged.
 */
export async function copyDatabase(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    // The first read takes a snapshot. Without it, the copy would start again after every write by another connection.
    source.exec('BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1');
    createPrivateFile(target);
    await backup(source, target, { rate: FLUSHED_PAGES, progress: () => flush(target, 'r+') });
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(target);
  try {
    // In WAL mode, like the original, the copy could not be read in a folder without write access.
    copy.exec('PRAGMA journal_mode = DELETE');
    // Pages are copied as they are, including damaged ones.
    const result = text(copy.prepare('PRAGMA quick_check(1)').get(), 'quick_check');
    if (result !== 'ok') throw new Error(`the database is damaged: ${result}`);
  } finally {
    copy.close();
  }
}

/** Returns once the file or folder is on disk. */
export function flush(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function* recordBackup(now: number): Transaction<void> {
  yield* sql`DELETE FROM @backups`;
  yield* sql`INSERT INTO @backups (last_backup_at) VALUES (${now})`;
}

/** When the last backup was completed, and the file system's facts about the database. */
export function* readFacts(file: string): Transaction<StoreFacts> {
  const [row] = yield* sql`SELECT max(last_backup_at) AS at FROM @backups`;
  const { bavail, bsize } = statfsSync(dirname(file));
  const bytes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return {
    store: 'sqlite',
    database_bytes: bytes.reduce((sum, size) => sum + size),
    disk_free_bytes: bavail * bsize,
    last_backup_at: integerOrNull(row, 'at'),
    retention_days: null,
  };
}
