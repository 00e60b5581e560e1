import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from '../../sql/row.ts';

/** If more addresses are outside the index, a search reads the list instead. */
const MAX_UNSEARCHED = 20_000;

/** The index of parts of addresses. Triggers note new signups and remove addresses; what is noted is added to the index in steps. */
export interface SearchIndex {
  /** Whether so few addresses are outside the index that a search can read each of them. */
  isUsable(): boolean;
  hasWork(): boolean;
  /** Adds at most `limit` addresses. Returns how many; one member of a transaction. */
  addSome(limit: number): number;
}

export function searchIndex(db: DatabaseSync): SearchIndex {
  const count = db.prepare('SELECT count(*) AS signups FROM (SELECT 1 FROM unsearched_signups LIMIT ?)');
  const select = db.prepare(
    'SELECT id, email FROM unsearched_signups JOIN email_signups USING (id) ORDER BY id LIMIT ?',
  );
  const insert = db.prepare('INSERT INTO signup_search (rowid, email) VALUES (?, ?)');
  const forget = db.prepare('DELETE FROM unsearched_signups WHERE id <= ?');
  return {
    isUsable: () => integer(count.get(MAX_UNSEARCHED + 1), 'signups') <= MAX_UNSEARCHED,
    hasWork: () => integer(count.get(1), 'signups') > 0,
    addSome(limit) {
      const rows = select.all(limit);
      for (const row of rows) insert.run(integer(row, 'id'), text(row, 'email'));
      const last = rows.at(-1);
      if (last !== undefined) forget.run(integer(last, 'id'));
      return rows.length;
    },
  };
}
