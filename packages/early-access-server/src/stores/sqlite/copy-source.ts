import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { CopiedTable, Key } from '../sql/copied-tables.ts';
import { cursorKey } from '../sql/people-rows.ts';
import { integer, type Row } from '../sql/row.ts';
import { isNewest } from './schema.ts';

/** An SQLite file that is copied to another database. It is only read. */
export type CopySource = ReturnType<typeof createSource>;

/** Opens the file. Throws an `Error` whose message says what is wrong with it. */
export function openCopySource(file: string): CopySource {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    if (!isNewest(db)) {
      throw new Error('another release has written it; start the server of this one on it once, then copy');
    }
    return createSource(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function createSource(db: DatabaseSync) {
  const version = db.prepare('PRAGMA data_version');
  return {
    /** Identifies the file, independent of its state. */
    id: cursorKey(db.prepare('SELECT cursor_key FROM totals').get()),
    count: ({ name, where }: CopiedTable) =>
      integer(db.prepare(`SELECT count(*) AS rows FROM ${name} WHERE ${where}`).get(), 'rows'),
    /** Returns at most `limit` rows with keys after `after`, in order. */
    read({ name, key, columns, where }: CopiedTable, after: Key | null, limit: number): readonly Row[] {
      const [beyond, values]: [string, SQLInputValue[]] = after === null ? ['true', []] : [`${key} > ?`, [after]];
      const rows: Row[] = db
        .prepare(`SELECT ${columns.join(', ')} FROM ${name} WHERE ${beyond} AND ${where} ORDER BY ${key} LIMIT ?`)
        .all(...values, limit);
      return rows.map(withoutNul);
    },
    /** The highest number that any row of the table has ever had in this column. */
    lastNumber({ name }: CopiedTable, column: string): number {
      const highest = db.prepare(`SELECT coalesce(max(${column}), 0) AS number FROM ${name}`).get();
      const given = db.prepare('SELECT seq AS number FROM sqlite_sequence WHERE name = ?').get(name);
      return Math.max(integer(highest, 'number'), given === undefined ? 0 : integer(given, 'number'));
    },
    /** Changes whenever another program writes to the file. */
    version: () => integer(version.get(), 'data_version'),
    close: () => db.close(),
  };
}

/** Postgres cannot store text with a NUL. */
function withoutNul(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      typeof value === 'string' ? value.replaceAll('\u0000', '\ufffd') : value,
    ]),
  );
}
