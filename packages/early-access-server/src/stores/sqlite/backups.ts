import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { StoreFacts } from '../../app/ports/store.ts';
import { integerOrNull } from '../sql/row.ts';

/** When the last backup was completed, and what the file system says about the database. */
export function backupTable(db: DatabaseSync, file: string) {
  const remove = db.prepare('DELETE FROM backups');
  const insert = db.prepare('INSERT INTO backups VALUES (?)');
  const last = db.prepare('SELECT max(last_backup_at) AS at FROM backups');
  return {
    /** A member of a transaction. */
    record(now: number): void {
      remove.run();
      insert.run(now);
    },
    facts(): StoreFacts {
      const { bavail, bsize } = statfsSync(dirname(file));
      const bytes = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
      return {
        store: 'sqlite',
        database_bytes: bytes.reduce((sum, size) => sum + size),
        disk_free_bytes: bavail * bsize,
        last_backup_at: integerOrNull(last.get() ?? {}, 'at'),
        retention_days: null,
      };
    },
  };
}
