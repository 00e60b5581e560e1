import type { DatabaseSync } from 'node:sqlite';
import { integer, text } from '../../sql/row.ts';

/** The index of parts of addresses. Triggers add and remove addresses; those from before there was an index are added in steps. */
export interface SearchIndex {
  isComplete(): boolean;
  /** Adds at most `limit` addresses. Returns how many; one member of a transaction. */
  addSome(limit: number): number;
}

export function searchIndex(db: DatabaseSync): SearchIndex {
  const state = db.prepare('SELECT below FROM people_state');
  const select = db.prepare('SELECT id, email FROM email_signups WHERE id < ? ORDER BY id DESC LIMIT ?');
  const insert = db.prepare('INSERT INTO signup_search (rowid, email) VALUES (?, ?)');
  const setBelow = db.prepare('UPDATE people_state SET below = ?');
  const below = () => integer(state.get(), 'below');
  return {
    isComplete: () => below() === 0,
    addSome(limit) {
      const rows = select.all(below(), limit);
      for (const row of rows) insert.run(integer(row, 'id'), text(row, 'email'));
      const last = rows.at(-1);
      setBelow.run(last === undefined || rows.length < limit ? 0 : integer(last, 'id'));
      return rows.length;
    },
  };
}
