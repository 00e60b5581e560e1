import type { PeopleFilter } from '../../../app/people/people.ts';
import { foldCase, listSpellings } from '../../../app/text/parts.ts';
import { IN_STATE, type PeopleSearch } from '../../sql/people.ts';
import { integer, parseRowId } from '../../sql/row.ts';
import { containsAny } from '../../sql/segments.ts';
import { list, type Statement, sql } from '../../sql/statement.ts';
import type { RunTransaction } from '../run-transaction.ts';
import { isIndexUsable } from './search-index.ts';

/**
 * Up to this number, people are looked up through an index. With more, matches are frequent, so the list is read in
 * order until a page is full.
 */
const MAX_FOUND = 2_000;
/** The trigram index only contains parts of this length. */
const SHORTEST_PART = 3;

/** The condition that the search is part of the address in this table, or of a value that the person entered. */
function hasPart(signups: Statement, part: string): Statement {
  const ofValue = sql`SELECT 1 FROM json_tree(${signups}.fields) WHERE type = 'text' AND ${containsAny(sql`atom`, listSpellings(part))}`;
  return sql`(instr(${signups}.email, ${part}) > 0 OR EXISTS (${ofValue}))`;
}

/** The expressions to look up in the index: the part in an address, or in the JSON of the values. */
function indexedParts(part: string): readonly string[] {
  const inJson = listSpellings(part).map((spelling) => foldCase(JSON.stringify(spelling).slice(1, -1)));
  return [...new Set([part, ...inJson])];
}

/**
 * Selects ids by part of the address or the values. CROSS JOIN: otherwise SQLite reads every address to find those that
 * are not in the index yet.
 */
export function selectByPart(part: string): Statement {
  return sql`
    SELECT rowid AS id FROM @signup_search WHERE signup_search MATCH ${indexedParts(part).map(quoted).join(' OR ')}
    UNION ALL SELECT id FROM @unsearched_signups CROSS JOIN @email_signups USING (id)
    WHERE ${hasPart(sql`email_signups`, part)}
  `;
}

function quoted(part: string): string {
  return `"${part.replaceAll('"', '""')}"`;
}

/** Looks up people with one value of a filter before reading the list, because SQLite cannot estimate their number. */
export function peopleSearch(run: RunTransaction): PeopleSearch {
  /** Returns the condition that all selected people meet, or null if there are too many. */
  function findIds(selected: Statement): Statement | null {
    const rows = run(sql`${selected} LIMIT CAST(${MAX_FOUND + 1} AS bigint)`);
    if (rows.length > MAX_FOUND) return null;
    const ids = JSON.stringify(rows.map((row) => integer(row, 'id')));
    return sql`signup.id IN (SELECT value FROM json_each(${ids}))`;
  }

  function findByPart(part: string): Statement | null {
    const isTooShort = indexedParts(part).some((indexed) => [...indexed].length < SHORTEST_PART);
    return isTooShort || !isIndexUsable(run) ? null : findIds(selectByPart(part));
  }

  /** The plus prevents SQLite from using another index. */
  function findByMail(state: keyof typeof IN_STATE): Statement | null {
    return findIds(
      sql`SELECT signup_id AS id FROM @mails WHERE ${IN_STATE[state]} AND campaign_id IS NULL AND +signup_id IS NOT NULL`,
    );
  }

  function findByCampaign(id: string): Statement | null {
    return findIds(
      sql`SELECT signup_id AS id FROM @mails WHERE campaign_id = ${parseRowId(id)} AND state = 'sent' AND +signup_id IS NOT NULL`,
    );
  }

  return {
    hasPart: (part) => hasPart(sql`signup`, part),
    // Most messages are `sent`.
    narrow({ search, mail, segment, ...filter }: PeopleFilter) {
      const { with_campaign, invited_days_ago, ...conditions } = segment?.conditions ?? {};
      const source = filter.source ?? conditions.source ?? null;
      const states =
        filter.state !== null ? [filter.state] : invited_days_ago !== undefined ? ['invited'] : conditions.states;
      return (
        findByPart(search) ??
        (mail === null || mail === 'none' || mail === 'sent' ? null : findByMail(mail)) ??
        (source === null ? null : findIds(sql`SELECT id FROM @email_signups WHERE source = ${source}`)) ??
        (with_campaign === undefined ? null : findByCampaign(with_campaign)) ??
        (states === undefined ? null : findIds(sql`SELECT id FROM @email_signups WHERE state IN (${list(states)})`)) ??
        sql`true`
      );
    },
  };
}
