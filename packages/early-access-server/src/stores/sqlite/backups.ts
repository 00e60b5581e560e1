import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StoreFacts } from '../../app/ports/store.ts';
import { integerOrNull } from '../sql/row.ts';
import { sql, type Transaction } from '../sql/statement.ts';

export function* recordBackup(now: number): Transaction<void> {
  yield* sql`DELETE FROM @backups`;
  yield* sql`INSERT INTO @backups (last_backup_at) VALUES (${now})`;
}

/** When the last backup was completed, and what the file system says about the database. */
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
