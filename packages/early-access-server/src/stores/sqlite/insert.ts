import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/**
 * Prepares an INSERT with these columns; missing values are null. Returns a function that inserts a row and returns its
 * id.
 */
export function prepareInsert(db: DatabaseSync, table: string, columns: string) {
  const names = columns.split(/,\s*/);
  const insert = db.prepare(`INSERT INTO ${table} (${columns}) VALUES (${names.map(() => '?').join(', ')})`);
  return (row: Readonly<Record<string, SQLInputValue | undefined>>): number =>
    Number(insert.run(...names.map((name) => row[name] ?? null)).lastInsertRowid);
}
