import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/**
 * Prepares the INSERT of a row with these columns, null if the row has no value. Returns a function that inserts one
 * and returns its id.
 */
export function prepareInsert(db: DatabaseSync, table: string, columns: string) {
  const names = columns.split(/,\s*/);
  const insert = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${names.map(() => '?').join(', ')})`);
  return (row: Readonly<Record<string, SQLInputValue | undefined>>): number =>
    Number(insert.run(...names.map((name) => row[name] ?? null)).lastInsertRowid);
}
