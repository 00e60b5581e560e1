import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  MAX_SOURCES,
  type PeopleFilter,
  type PeoplePage,
  type PeopleQuery,
  type PeopleStore,
  type Person,
  type PersonRecord,
} from '../../../app/admin/people.ts';
import type { MailState } from '../../../app/mail/message.ts';
import { cursorKey, positionOf, toPage, toPerson } from '../../sql/people-rows.ts';
import { toSession } from '../../sql/record-rows.ts';
import { integer, text } from '../../sql/row.ts';

/**
 * Up to so many people are looked up by an index. With more, the list is read in its order until a page is full, as matches are frequent.
 */
const MAX_FOUND = 2_000;
/** The index of parts of addresses knows parts of this length. */
const SHORTEST_PART = 3;

/** Finds ids by part of the address. CROSS JOIN: otherwise SQLite reads every address to find those that are not in the index yet. */
export const SEARCH_QUERY = `
  SELECT rowid AS id FROM signup_search WHERE signup_search MATCH ?
  UNION ALL SELECT id FROM unsearched_signups CROSS JOIN email_signups USING (id) WHERE instr(email, ?) > 0 LIMIT ?
`;

/** Lists people, read synchronously. */
export interface SqlitePeopleStore extends PeopleStore {
  list(query: PeopleQuery): PeoplePage;
  find(id: string): PersonRecord | null;
  all(filter: PeopleFilter): Iterable<Person>;
  count(filter: PeopleFilter): number;
  sources(): readonly string[];
  haveFields(): boolean;
  listed(emails: readonly string[]): ReadonlySet<string>;
}

/** What other tables need of it. */
export interface PeopleTable extends SqlitePeopleStore {
  /** The row ids of the first people who match, oldest first. */
  firstIds(filter: PeopleFilter, limit: number): readonly number[];
}

const ORDERS = {
  newest: { by: 'created_at DESC, signup.id DESC', beyond: '(created_at, signup.id) < (?, ?)' },
  oldest: { by: 'created_at, signup.id', beyond: '(created_at, signup.id) > (?, ?)' },
  email: { by: 'email', beyond: 'email > ?' },
} as const;

const COLUMNS = 'signup.*, mails.state AS mail_state, attempts, next_attempt_at, reason, changed_at';
/** Each person with the last message, apart from campaigns. */
const TABLES = `email_signups AS signup LEFT JOIN mails ON mails.id = (
  SELECT max(id) FROM mails AS last WHERE last.signup_id = signup.id AND last.campaign_id IS NULL
)`;

export function peopleTable(db: DatabaseSync, isSearchable: () => boolean): PeopleTable {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  /** Written out, because a partial index is not used for a parameter. Most messages are `sent`. */
  const mailsIn = (name: Exclude<MailState, 'sent'>) =>
    db.prepare(`SELECT signup_id AS id FROM mails WHERE state = '${name}' LIMIT ?`);
  const found = {
    search: db.prepare(SEARCH_QUERY),
    queued: mailsIn('queued'),
    sending: mailsIn('sending'),
    failed: mailsIn('failed'),
    unknown: mailsIn('unknown'),
    source: db.prepare('SELECT id FROM email_signups WHERE source = ? LIMIT ?'),
    state: db.prepare('SELECT id FROM email_signups WHERE state = ? LIMIT ?'),
  };
  const state = db.prepare('SELECT cursor_key FROM totals');
  const findSession = db.prepare('SELECT * FROM sessions WHERE id = ?');
  const sources = db.prepare(`
    WITH RECURSIVE found (source) AS (
      SELECT min(source) FROM email_signups
      UNION ALL SELECT (SELECT min(source) FROM email_signups WHERE source > found.source) FROM found WHERE source IS NOT NULL
    )
    SELECT source FROM found WHERE source IS NOT NULL LIMIT ${MAX_SOURCES}
  `);
  const haveFields = db.prepare('SELECT EXISTS (SELECT 1 FROM email_signups WHERE fields IS NOT NULL) AS found');
  const listed = db.prepare('SELECT email FROM email_signups WHERE email IN (SELECT value FROM json_each(?))');

  /** Returns the ids of everyone with the value, in JSON; null if there are too many. */
  function idsOf(statement: StatementSync, ...value: readonly string[]): string | null {
    const rows = statement.all(...value, MAX_FOUND + 1);
    return rows.length > MAX_FOUND ? null : JSON.stringify(rows.map((row) => integer(row, 'id')));
  }

  function idsOfSearch(search: string): string | null {
    // No address contains one, and SQLite's query ends at the first NUL.
    if (/\p{Cc}/u.test(search)) return '[]';
    if ([...search].length < SHORTEST_PART || !isSearchable()) return null;
    return idsOf(found.search, `"${search.replaceAll('"', '""')}"`, search);
  }

  /** The conditions of a filter with their values. */
  function conditionsOf({ search, state, mail, source, from, to }: PeopleFilter) {
    const conditions: string[] = ['TRUE'];
    const values: SQLInputValue[] = [];
    const add = (condition: string, ...given: SQLInputValue[]) => {
      conditions.push(condition);
      values.push(...given);
    };
    const ids =
      (search === '' ? null : idsOfSearch(search)) ??
      (mail === null || mail === 'none' || mail === 'sent' ? null : idsOf(found[mail])) ??
      (source === null ? null : idsOf(found.source, source)) ??
      (state === null ? null : idsOf(found.state, state));
    if (ids !== null) add('signup.id IN (SELECT value FROM json_each(?))', ids);
    if (search !== '') add('instr(email, ?) > 0', search);
    // The plus keeps SQLite from sorting everyone who has the value.
    if (state !== null) add('+signup.state = ?', state);
    if (mail === 'none') add('mails.id IS NULL');
    else if (mail !== null) add('+mails.state = ?', mail);
    if (source !== null) add('+source = ?', source);
    if (from !== null || to !== null) {
      add('created_at >= ? AND created_at < ?', from ?? 0, to ?? Number.MAX_SAFE_INTEGER);
    }
    return { conditions, values };
  }

  return {
    list({ sort, limit, after, ...filter }) {
      const { by, beyond } = ORDERS[sort];
      const key = cursorKey(state.get());
      const { conditions, values } = conditionsOf(filter);
      if (after !== null) {
        conditions.push(beyond);
        values.push(...positionOf(key, after, sort));
      }
      const rows = prepared(
        `SELECT ${COLUMNS} FROM ${TABLES} WHERE ${conditions.join(' AND ')} ORDER BY ${by} LIMIT ?`,
      ).all(...values, limit + 1);
      return toPage(rows, sort, limit, key);
    },
    find(id) {
      const row = prepared(`SELECT ${COLUMNS} FROM ${TABLES} WHERE person_id = ?`).get(id);
      if (row === undefined) return null;
      const person = toPerson(row);
      const session = findSession.get(person.session_id);
      return { ...person, session: session === undefined ? null : toSession(session) };
    },
    *all(filter) {
      const { conditions, values } = conditionsOf(filter);
      // A statement of its own, because several may be read at the same time.
      const rows = db.prepare(
        `SELECT ${COLUMNS} FROM ${TABLES} WHERE ${conditions.join(' AND ')} ORDER BY ${ORDERS.oldest.by}`,
      );
      for (const row of rows.iterate(...values)) yield toPerson(row);
    },
    count(filter) {
      const { conditions, values } = conditionsOf(filter);
      const row = prepared(`SELECT count(*) AS people FROM ${TABLES} WHERE ${conditions.join(' AND ')}`).get(...values);
      return integer(row, 'people');
    },
    firstIds(filter, limit) {
      const { conditions, values } = conditionsOf(filter);
      return prepared(
        `SELECT signup.id FROM ${TABLES} WHERE ${conditions.join(' AND ')} ORDER BY ${ORDERS.oldest.by} LIMIT ?`,
      )
        .all(...values, limit)
        .map((row) => integer(row, 'id'));
    },
    sources: () => sources.all().map((row) => text(row, 'source')),
    haveFields: () => integer(haveFields.get(), 'found') === 1,
    listed: (emails) => new Set(listed.all(JSON.stringify(emails)).map((row) => text(row, 'email'))),
  };
}
