import { setImmediate } from 'node:timers/promises';
import { listViewedPaths } from '../../app/analytics/page-views.ts';
import type { ListedPerson, PersonState } from '../../app/lifecycle/states.ts';
import { SIDE_KINDS } from '../../app/mail/message-kinds.ts';
import type { Position } from '../../app/people/cursor.ts';
import { listLabels, MAX_LABEL_SETS } from '../../app/people/labels.ts';
import { type ExportedPerson, MAX_SOURCES, type PeopleFilter, type PeopleSort } from '../../app/people/people.ts';
import { isPersonId } from '../../app/people/person-id.ts';
import { createTimeline, MAX_TIMELINE_EMAILS } from '../../app/people/timeline.ts';
import type { ChosenPeople, InviteOrder } from '../../app/ports/list-store.ts';
import type { PeopleStore } from '../../app/ports/people-store.ts';
import { hasMailboxOf } from './mailboxes.ts';
import { cursorKey, readPosition, toListedPerson, toPage, toPerson, toTimelineEmail } from './people-rows.ts';
import { readTimeline, toSession } from './record-rows.ts';
import { integer, integerOrNull, type Row, text, textOrNull } from './row.ts';
import { segmentCondition } from './segments.ts';
import { PLACE_KEY, selectReferrals } from './share.ts';
import type { SqlDatabase } from './sql-database.ts';
import { list, type Statement, sql, type Transaction } from './statement.ts';

/** The parts of a people search that depend on a database's indexes. */
export interface PeopleSearch {
  /** The condition that `matchesSearch` is true for `signup`. The text contains no control characters. */
  hasPart(part: string): Statement;
  /** A condition that everyone who matches the filter meets, so that they can be found through an index. */
  narrow(filter: PeopleFilter): Statement;
}

/** Few messages are in one of these states. Literals, because a partial index may not be used with a parameter. */
export const IN_STATE = {
  queued: sql`state = 'queued'`,
  sending: sql`state = 'sending'`,
  failed: sql`state = 'failed'`,
  unknown: sql`state = 'unknown'`,
} as const;

/** The number of people read at once when iterating over everyone. */
const PAGE = 100;
/** The number of people checked for fields per statement. */
const SLICE = 5_000;

const ORDERS = {
  newest: {
    by: sql`signup.created_at DESC, signup.id DESC`,
    after: ([time = 0, id = 0]: Position) => sql`(signup.created_at, signup.id) < (${time}, ${id})`,
  },
  oldest: {
    by: sql`signup.created_at, signup.id`,
    after: ([time = 0, id = 0]: Position) => sql`(signup.created_at, signup.id) > (${time}, ${id})`,
  },
  email: { by: sql`signup.email`, after: ([email = '']: Position) => sql`signup.email > ${email}` },
} as const;

/** The messages of `signup` except campaigns and `SIDE_KINDS`. */
const MESSAGES = sql`
  FROM @mails AS own WHERE own.signup_id = signup.id AND own.campaign_id IS NULL AND own.kind NOT IN (${list(SIDE_KINDS)})
`;

/** Each person with their last message. */
const PEOPLE = sql`
  SELECT signup.*, mail.kind AS mail_kind, mail.state AS mail_state, attempts, next_attempt_at, reason, changed_at
  FROM @email_signups AS signup LEFT JOIN @mails AS mail ON mail.id = (SELECT max(own.id) ${MESSAGES})
`;

export function peopleStore({ query, read }: SqlDatabase, search: PeopleSearch): PeopleStore {
  return {
    list: ({ sort, limit, after, ...filter }) =>
      read(function* () {
        const [row] = yield* sql`SELECT cursor_key FROM @totals`;
        const key = cursorKey(row);
        const position = after === null ? null : readPosition(key, after, sort);
        return toPage(yield* selectPeople(search, filter, sort, position, limit + 1), sort, limit, key);
      }),
    async find(id) {
      if (!isPersonId(id)) return null;
      return read(function* () {
        const [row] = yield* sql`${PEOPLE} WHERE person_id = ${id}`;
        if (row === undefined) return null;
        const person = toPerson(row);
        const emails = yield* selectEmails(integer(row, 'id'));
        const [session] = yield* sql`SELECT * FROM @sessions WHERE id = ${person.session_id}`;
        return {
          ...person,
          session: session === undefined ? null : toSession(session),
          page_views: session === undefined ? [] : listViewedPaths(textOrNull(session, 'page_views')),
          ...toExported(row),
          new_email: emails.map((email) => textOrNull(email, 'recipient')).find((email) => email !== null) ?? null,
          share: yield* selectReferrals(row),
          timeline: createTimeline(person, readTimeline(row), emails.map(toTimelineEmail)),
        };
      });
    },
    /** Reads in pages, so that no transaction stays open while the caller processes them. */
    async *all(filter) {
      for (let position: Position | null = null; ; ) {
        const rows = await query(selectPeople(search, filter, 'oldest', position, PAGE));
        for (const row of rows) yield { ...toPerson(row), ...toExported(row) };
        if (rows.length < PAGE) return;
        const last = rows.at(-1);
        position = [integer(last, 'created_at'), integer(last, 'id')];
      }
    },
    async count(filter) {
      const [row] = await query(
        sql`SELECT count(*) AS people FROM @email_signups AS signup WHERE ${peopleCondition(search, filter)}`,
      );
      return { count: integer(row, 'people'), is_partial: false };
    },
    async sources() {
      // Skips from one value in the index to the next, because there may be a million people and few sources.
      const rows = await query(sql`
        WITH RECURSIVE found (source) AS (
          SELECT min(source) FROM @email_signups
          UNION ALL SELECT (SELECT min(source) FROM @email_signups WHERE source > found.source) FROM found WHERE source IS NOT NULL
        )
        SELECT source FROM found WHERE source IS NOT NULL LIMIT CAST(${MAX_SOURCES} AS bigint)
      `);
      return rows.map((row) => text(row, 'source'));
    },
    async labels() {
      const rows = await query(sql`
        WITH RECURSIVE found (labels) AS (
          SELECT min(labels) FROM @email_signups WHERE labels IS NOT NULL
          UNION ALL SELECT (SELECT min(labels) FROM @email_signups WHERE labels > found.labels) FROM found WHERE labels IS NOT NULL
        )
        SELECT labels FROM found WHERE labels IS NOT NULL LIMIT CAST(${MAX_LABEL_SETS} AS bigint)
      `);
      return listLabels(rows.map((row) => text(row, 'labels')));
    },
    /**
     * Reads slices that take a millisecond, because SQLite blocks the event loop. An index would cost a further write
     * for each signup with fields.
     */
    async haveFields() {
      for (let after: number | null = 0; after !== null; await setImmediate()) {
        const [row] = await query(sql`
          SELECT max(id) AS last, count(fields) AS found FROM (
            SELECT id, fields FROM @email_signups WHERE id > ${after} ORDER BY id LIMIT CAST(${SLICE} AS bigint)
          ) AS slice
        `);
        if (integer(row, 'found') > 0) return true;
        after = integerOrNull(row, 'last');
      }
      return false;
    },
    async listed(emails) {
      const rows = await query(selectListed(emails));
      return new Map(rows.map((row) => [text(row, 'email'), toListedPerson(row)]));
    },
  };
}

function toExported(row: Row): Pick<ExportedPerson, 'language' | 'import_id'> {
  return { language: textOrNull(row, 'language'), import_id: textOrNull(row, 'import_id') };
}

function selectEmails(signupId: number): Statement {
  return sql`
    SELECT mail.*, subject FROM @mails AS mail LEFT JOIN @campaigns AS campaign ON campaign.id = mail.campaign_id
    WHERE signup_id = ${signupId} ORDER BY mail.id DESC LIMIT CAST(${MAX_TIMELINE_EMAILS} AS bigint)
  `;
}

/** Selects the people with these addresses, and others with the same mailboxes. */
function selectListed(emails: readonly string[]): Statement {
  return sql`
    SELECT id, person_id, email, state, confirmed_at, unsubscribed_at FROM @email_signups WHERE ${hasMailboxOf(emails)}
  `;
}

/** People on the list by address, each with their row id. */
export function* readListed(
  emails: readonly string[],
): Transaction<ReadonlyMap<string, ListedPerson & { rowId: number }>> {
  const rows = yield* selectListed(emails);
  return new Map(rows.map((row) => [text(row, 'email'), { ...toListedPerson(row), rowId: integer(row, 'id') }]));
}

/** Selects the people after the position, which uses a cursor's column names. */
function selectPeople(
  search: PeopleSearch,
  filter: PeopleFilter,
  sort: PeopleSort,
  position: Position | null,
  limit: number,
): Statement {
  const { by, after } = ORDERS[sort];
  const beyond = position === null ? sql`` : sql`AND ${after(position)}`;
  return sql`${PEOPLE} WHERE ${peopleCondition(search, filter)} ${beyond} ORDER BY ${by} LIMIT CAST(${limit} AS bigint)`;
}

/** Selects the rows of chosen people in this state, in order, without duplicates. */
export function selectChosen(who: ChosenPeople, state: PersonState, search: PeopleSearch): Statement {
  if ('count' in who) return selectFirstIds(search, { ...who.filter, state }, who);
  const given = JSON.stringify(who.ids.filter(isPersonId).map((id) => [id]));
  return sql`
    SELECT id FROM @email_signups WHERE #unindexed state = ${state} AND person_id IN (SELECT value ->> 0 FROM #each(${given}))
    ORDER BY created_at, id
  `;
}

const INVITE_BY = {
  place: sql`${PLACE_KEY}, signup.id`,
  referrals: sql`signup.referrals DESC, signup.created_at, signup.id`,
} as const;

interface First {
  readonly count: number;
  readonly order?: InviteOrder;
}

/** Selects the row ids of the first matching people, in order. */
function selectFirstIds(search: PeopleSearch, filter: PeopleFilter, { count, order = 'date' }: First): Statement {
  const first = (condition: Statement, by: Statement) => sql`
    SELECT id, created_at, referrals FROM @email_signups AS signup
    WHERE ${peopleCondition(search, filter)} ${condition} ORDER BY ${by} LIMIT CAST(${count} AS bigint)
  `;
  if (order === 'date') return first(sql``, ORDERS.oldest.by);
  // Each part is found through its own index, because sorting a million people would take seconds.
  const by = INVITE_BY[order];
  return sql`
    SELECT id FROM (
      SELECT * FROM (${first(sql`AND signup.referrals > 0`, by)}) AS ahead
      UNION ALL SELECT * FROM (${first(sql`AND signup.referrals = 0`, ORDERS.oldest.by)}) AS others
    ) AS signup ORDER BY ${by} LIMIT CAST(${count} AS bigint)
  `;
}

/** The condition on `email_signups AS signup` that everyone who matches the filter meets. */
function peopleCondition(search: PeopleSearch, filter: PeopleFilter): Statement {
  const { search: part, state, mail, source, import: importId, from, to, segment } = filter;
  // Addresses and sources contain no control characters, and not every database accepts them in a value.
  if (hasControl(part) || hasControl(source ?? '')) return sql`false`;
  const conditions = [
    search.narrow(filter),
    part === '' ? sql`` : sql`AND ${search.hasPart(part)}`,
    // The index of the order is used instead, because people found by state would have to be sorted.
    state === null ? sql`` : sql`AND #unindexed signup.state = ${state}`,
    source === null ? sql`` : sql`AND #unindexed signup.source = ${source}`,
    importId === null ? sql`` : sql`AND signup.import_id = ${importId}`,
    from === null ? sql`` : sql`AND signup.created_at >= ${from}`,
    to === null ? sql`` : sql`AND signup.created_at < ${to}`,
    mail === null ? sql`` : sql`AND ${mailCondition(mail)}`,
    segment === undefined ? sql`` : sql`AND ${segmentCondition(segment)}`,
  ];
  return conditions.reduce((all, condition) => sql`${all} ${condition}`);
}

function mailCondition(mail: NonNullable<PeopleFilter['mail']>): Statement {
  if (mail === 'none') return sql`NOT EXISTS (SELECT 1 ${MESSAGES})`;
  return sql`${mail} = (SELECT own.state ${MESSAGES} ORDER BY own.id DESC LIMIT 1)`;
}

function hasControl(value: string): boolean {
  return [...value].some((character) => character < ' ');
}
