import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { ATTRIBUTION_FIELDS } from 'early-access-kit/core';
import type {
  PeopleFilter,
  PeoplePage,
  PeopleQuery,
  PeopleStore,
  Person,
  PersonRecord,
} from '../../../app/admin/people.ts';
import type { MailState } from '../../../app/mail/message.ts';
import { toMessage } from '../message-row.ts';
import { integer, personId, presentTexts, type Row, text, textOrNull } from '../row.ts';
import { toSession } from '../session-row.ts';
import { readCursor, writeCursor } from './cursor.ts';

/**
 * Up to so many people are looked up by an index. With more, the list is read in its order until a page is full, as matches are frequent.
 */
const MAX_FOUND = 2_000;
/** The index of parts of addresses knows parts of this length. */
const SHORTEST_PART = 3;
const MAX_SOURCES = 100;

/** Lists people, read synchronously. */
export interface SqlitePeopleStore extends PeopleStore {
  list(query: PeopleQuery): PeoplePage;
  find(id: string): PersonRecord | null;
  all(filter: PeopleFilter): Iterable<Person>;
  count(filter: PeopleFilter): number;
  sources(): readonly string[];
  listed(emails: readonly string[]): ReadonlySet<string>;
}

const ORDERS = {
  newest: { column: 'signup.id', direction: 'DESC', beyond: '<' },
  oldest: { column: 'signup.id', direction: 'ASC', beyond: '>' },
  email: { column: 'signup.email', direction: 'ASC', beyond: '>' },
} as const;

const COLUMNS = `signup.*, state, message_key, attempts, next_attempt_at, lease_until, reason, changed_at`;
const TABLES = 'email_signups AS signup LEFT JOIN mails ON signup_id = signup.id';

export function peopleTable(db: DatabaseSync, isSearchable: () => boolean): SqlitePeopleStore {
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
    search: db.prepare('SELECT rowid AS id FROM signup_search WHERE signup_search MATCH ? LIMIT ?'),
    queued: mailsIn('queued'),
    sending: mailsIn('sending'),
    failed: mailsIn('failed'),
    unknown: mailsIn('unknown'),
    source: db.prepare('SELECT id FROM email_signups WHERE source = ? LIMIT ?'),
  };
  const state = db.prepare('SELECT cursor_key FROM people_state');
  const idsWithin = db.prepare(`
    SELECT coalesce(min(id), 0) AS first, coalesce(max(id), -1) AS last FROM email_signups WHERE created_at >= ? AND created_at < ?
  `);
  const findSession = db.prepare('SELECT * FROM sessions WHERE id = ?');
  const sources = db.prepare(`
    WITH RECURSIVE found (source) AS (
      SELECT min(source) FROM email_signups
      UNION ALL SELECT (SELECT min(source) FROM email_signups WHERE source > found.source) FROM found WHERE source IS NOT NULL
    )
    SELECT source FROM found WHERE source IS NOT NULL LIMIT ${MAX_SOURCES}
  `);
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
    return idsOf(found.search, `"${search.replaceAll('"', '""')}"`);
  }

  /** The conditions of a filter with their values. */
  function conditionsOf({ search, mail, source, from, to }: PeopleFilter) {
    const conditions: string[] = ['TRUE'];
    const values: SQLInputValue[] = [];
    const add = (condition: string, ...given: SQLInputValue[]) => {
      conditions.push(condition);
      values.push(...given);
    };
    const ids =
      (search === '' ? null : idsOfSearch(search)) ??
      (mail === null || mail === 'none' || mail === 'sent' ? null : idsOf(found[mail])) ??
      (source === null ? null : idsOf(found.source, source));
    if (ids !== null) add('signup.id IN (SELECT value FROM json_each(?))', ids);
    if (search !== '') add('instr(email, ?) > 0', search);
    // The plus keeps SQLite from sorting everyone who has the value.
    if (mail === 'none') add('signup_id IS NULL');
    else if (mail !== null) add('+state = ?', mail);
    if (source !== null) add('+source = ?', source);
    if (from !== null || to !== null) {
      const times = [from ?? 0, to ?? Number.MAX_SAFE_INTEGER] as const;
      const row = idsWithin.get(...times);
      add('signup.id BETWEEN ? AND ?', integer(row, 'first'), integer(row, 'last'));
      add('created_at >= ? AND created_at < ?', ...times);
    }
    return { conditions, values };
  }

  return {
    list({ sort, limit, after, ...filter }) {
      const { column, direction, beyond } = ORDERS[sort];
      const key = cursorKey(state.get());
      const { conditions, values } = conditionsOf(filter);
      if (after !== null) {
        conditions.push(`${column} ${beyond} ?`);
        values.push(readCursor(key, after, sort).last);
      }
      const rows = prepared(
        `SELECT ${COLUMNS} FROM ${TABLES} WHERE ${conditions.join(' AND ')} ORDER BY ${column} ${direction} LIMIT ?`,
      ).all(...values, limit + 1);
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return {
        people: rows.slice(0, limit).map(toPerson),
        next:
          last === undefined
            ? null
            : writeCursor(key, { sort, last: sort === 'email' ? text(last, 'email') : integer(last, 'id') }),
      };
    },
    find(id) {
      const [, rowid = '', submission = ''] = /^(\d{1,15})-([\w-]{8,64})$/.exec(id) ?? [];
      const row = prepared(`SELECT ${COLUMNS} FROM ${TABLES} WHERE signup.id = ? AND submission_id = ?`).get(
        Number(rowid),
        submission,
      );
      if (row === undefined) return null;
      const person = toPerson(row);
      const session = person.session_id === null ? undefined : findSession.get(person.session_id);
      return { ...person, session: session === undefined ? null : toSession(session) };
    },
    *all(filter) {
      const { conditions, values } = conditionsOf(filter);
      // A statement of its own, because several may be read at the same time.
      const rows = db.prepare(`SELECT ${COLUMNS} FROM ${TABLES} WHERE ${conditions.join(' AND ')} ORDER BY signup.id`);
      for (const row of rows.iterate(...values)) yield toPerson(row);
    },
    count(filter) {
      const { conditions, values } = conditionsOf(filter);
      const row = prepared(`SELECT count(*) AS people FROM ${TABLES} WHERE ${conditions.join(' AND ')}`).get(...values);
      return integer(row, 'people');
    },
    sources: () => sources.all().map((row) => text(row, 'source')),
    listed: (emails) => new Set(listed.all(JSON.stringify(emails)).map((row) => text(row, 'email'))),
  };
}

function cursorKey(row: Row | undefined): Uint8Array {
  const key = row?.cursor_key;
  if (!(key instanceof Uint8Array)) throw new TypeError('column cursor_key holds no bytes');
  return key;
}

function toPerson(row: Row): Person {
  const mail = row.state === null ? null : toMessage(row);
  return {
    id: personId(integer(row, 'id'), text(row, 'submission_id')),
    email: text(row, 'email'),
    session_id: textOrNull(row, 'session_id'),
    source: text(row, 'source'),
    referrer: textOrNull(row, 'referrer'),
    created_at: integer(row, 'created_at'),
    ...presentTexts(row, ATTRIBUTION_FIELDS),
    mail: mail && {
      state: mail.state,
      attempts: mail.attempts,
      reason: mail.reason,
      next_attempt_at: mail.next_attempt_at,
      changed_at: mail.changed_at,
    },
  };
}
