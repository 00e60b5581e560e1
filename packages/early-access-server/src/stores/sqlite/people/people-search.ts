import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { PeopleFilter } from '../../../app/admin/people.ts';
import type { PeopleSearch } from '../../sql/people.ts';
import { integer } from '../../sql/row.ts';
import { type Statement, sql } from '../../sql/statement.ts';

/** Up to this many people are looked up through an index. With more, the list is read in its order until a page is full, as matches are frequent. */
const MAX_FOUND = 2_000;
/** The index of parts of addresses knows parts of this length. */
const SHORTEST_PART = 3;

/** Finds ids by part of the address. CROSS JOIN: otherwise SQLite reads every address to find the ones that are not in the index yet. */
export const SEARCH_QUERY = `
  SELECT rowid AS id FROM signup_search WHERE signup_search MATCH ?
  UNION ALL SELECT id FROM unsearched_signups CROSS JOIN email_signups USING (id) WHERE instr(email, ?) > 0 LIMIT CAST(? AS bigint)
`;

/** Looks up who has one value of a filter before the list is read, because SQLite cannot know how many they are. */
export function peopleSearch(db: DatabaseSync, isSearchable: () => boolean): PeopleSearch {
  /** Written out, because a partial index is not used for a parameter. The plus keeps SQLite from reading another index. */
  const prepareWaiting = (state: string) =>
    db.prepare(`
      SELECT signup_id AS id FROM mails WHERE state = '${state}' AND campaign_id IS NULL AND +signup_id IS NOT NULL LIMIT CAST(? AS bigint)
    `);
  const inState = {
    queued: prepareWaiting('queued'),
    sending: prepareWaiting('sending'),
    failed: prepareWaiting('failed'),
    unknown: prepareWaiting('unknown'),
  };
  const byPart = db.prepare(SEARCH_QUERY);
  const bySource = db.prepare('SELECT id FROM email_signups WHERE source = ? LIMIT CAST(? AS bigint)');
  const byState = db.prepare('SELECT id FROM email_signups WHERE state = ? LIMIT CAST(? AS bigint)');

  /** Returns the condition that is met by everyone with the value; null if there are too many. */
  function findIds(statement: StatementSync, ...value: readonly string[]): Statement | null {
    const rows = statement.all(...value, MAX_FOUND + 1);
    if (rows.length > MAX_FOUND) return null;
    const ids = JSON.stringify(rows.map((row) => integer(row, 'id')));
    return sql`signup.id IN (SELECT value FROM json_each(${ids}))`;
  }

  function findByPart(part: string): Statement | null {
    if ([...part].length < SHORTEST_PART || !isSearchable()) return null;
    return findIds(byPart, `"${part.replaceAll('"', '""')}"`, part);
  }

  return {
    hasPart: (part) => sql`instr(signup.email, ${part}) > 0`,
    // Most messages are `sent`.
    narrow: ({ search, mail, source, state }: PeopleFilter) =>
      findByPart(search) ??
      (mail === null || mail === 'none' || mail === 'sent' ? null : findIds(inState[mail])) ??
      (source === null ? null : findIds(bySource, source)) ??
      (state === null ? null : findIds(byState, state)) ??
      sql`true`,
  };
}
