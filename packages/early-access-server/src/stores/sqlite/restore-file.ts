import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { integer, type Row } from '../sql/row.ts';
import { isBusy } from './database.ts';
import { createPrivateFile } from './private-file.ts';
import { requireUsableSchema } from './schema.ts';

/** The number of people and sessions in a database file, and of emails that its server would send next. */
export interface FileContent {
  readonly signups: number;
  readonly sessions: number;
  readonly queued: number;
}

/** Opens a backup to copy it. Throws an `Error` whose message says what is wrong with the file. */
export function openBackup(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    if (requireUsableSchema(db).steps === 0) throw new Error('it is not a database of early-access-server');
    const content = countContent(db);
    return {
      content,
      /** Writes the whole database, including its WAL, to a new file. This reads every page. */
      writeCopy(target: string): void {
        createPrivateFile(target);
        db.prepare('VACUUM INTO ?').run(target);
      },
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Checks whether a database file may be replaced. `in-use`: another process has it open. `damaged`: it cannot be read.
 * Otherwise returns its content. Leaves no WAL next to a file that is not in use.
 */
export function inspectReplaceable(file: string): FileContent | 'in-use' | 'damaged' {
  if (!existsSync(file)) return { signups: 0, sessions: 0, queued: 0 };
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    // SQLite leaves WAL mode only if no other connection is open.
    db.exec('PRAGMA journal_mode = DELETE');
    return requireUsableSchema(db).steps === 0 ? 'damaged' : countContent(db);
  } catch (error) {
    return isBusy(error) ? 'in-use' : 'damaged';
  } finally {
    db.close();
  }
}

function countContent(db: DatabaseSync): FileContent {
  const row: Row | undefined = db
    .prepare(
      `SELECT (SELECT count(*) FROM email_signups) AS signups, (SELECT count(*) FROM sessions) AS sessions,
         (SELECT count(*) FROM mails WHERE state IN ('queued', 'sending')) AS queued`,
    )
    .get();
  return { signups: integer(row, 'signups'), sessions: integer(row, 'sessions'), queued: integer(row, 'queued') };
}
