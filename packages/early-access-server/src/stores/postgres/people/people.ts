import {
  MAX_SOURCES,
  type PeopleFilter,
  type PeopleQuery,
  type PeopleStore,
  type Person,
} from '../../../app/admin/people.ts';
import { isPersonId } from '../../../app/list/person-id.ts';
import { cursorKey, positionOf, toPage, toPerson } from '../../sql/people-rows.ts';
import { toSession } from '../../sql/record-rows.ts';
import { integer, type Row, text } from '../../sql/row.ts';
import type { Queries } from '../connection.ts';
import type { Database } from '../database.ts';
import { peopleCondition } from './condition.ts';

/** People read at once while everyone is iterated. */
const CHUNK = 1_000;

export function peopleTable(database: Database): PeopleStore {
  return {
    list: (query) =>
      database.snapshot(async (sql) => {
        const [totals] = await sql`SELECT cursor_key FROM early_access.totals`;
        const key = cursorKey(totals);
        const after = query.after === null ? null : positionOf(key, query.after, query.sort);
        return toPage(await select(sql, query, query.limit + 1, after), query.sort, query.limit, key);
      }),
    find: (id) =>
      database.snapshot(async (sql) => {
        if (!isPersonId(id)) return null;
        const [row] = await withLastMail(sql, sql`person_id = ${id}`);
        if (row === undefined) return null;
        const person = toPerson(row);
        const [session] = await sql`SELECT * FROM early_access.sessions WHERE id = ${person.session_id}`;
        return { ...person, session: session === undefined ? null : toSession(session) };
      }),
    all: (filter) => everyone(database, filter),
    count: (filter) =>
      database.read(async (sql) => {
        const [row] = await sql`
          SELECT count(*) AS people FROM early_access.email_signups AS signup WHERE ${peopleCondition(sql, filter)}
        `;
        return integer(row, 'people');
      }),
    sources: () =>
      database.read(async (sql) => {
        // From one value of the index to the next, because there may be a million people and few sources.
        const rows = await sql`
          WITH RECURSIVE found (source) AS (
            SELECT min(source) FROM early_access.email_signups
            UNION ALL SELECT (SELECT min(source) FROM early_access.email_signups WHERE source > found.source)
              FROM found WHERE source IS NOT NULL
          )
          SELECT source FROM found WHERE source IS NOT NULL LIMIT ${MAX_SOURCES}
        `;
        return rows.map((row) => text(row, 'source'));
      }),
    haveFields: () =>
      database.read(
        async (sql) => (await sql`SELECT FROM early_access.email_signups WHERE fields IS NOT NULL LIMIT 1`).length > 0,
      ),
    listed: (emails) =>
      database.read(async (sql) => {
        const rows = await sql`SELECT email FROM early_access.email_signups WHERE email = ANY(${[...emails]}::text[])`;
        return new Set(rows.map((row) => text(row, 'email')));
      }),
  };
}

/** In pages, so that no transaction is open while the caller is at work. */
async function* everyone(database: Database, filter: PeopleFilter): AsyncIterable<Person> {
  let after: readonly (number | string)[] | null = null;
  for (;;) {
    const position: typeof after = after;
    const rows: readonly Row[] = await database.read((sql) =>
      select(sql, { ...filter, sort: 'oldest' }, CHUNK, position),
    );
    for (const row of rows) yield toPerson(row);
    if (rows.length < CHUNK) return;
    const last = rows.at(-1);
    after = [integer(last, 'created_at'), integer(last, 'id')];
  }
}

/** The people who follow the one at `after`, who is named as in a cursor. */
function select(
  sql: Queries,
  { sort, ...filter }: Omit<PeopleQuery, 'limit' | 'after'>,
  limit: number,
  after: readonly (number | string)[] | null,
) {
  const [first, id] = after ?? [];
  const orders = {
    newest: {
      by: sql`signup.created_at DESC, signup.id DESC`,
      beyond: sql`(signup.created_at, signup.id) < (${first}::bigint, ${id}::bigint)`,
    },
    oldest: {
      by: sql`signup.created_at, signup.id`,
      beyond: sql`(signup.created_at, signup.id) > (${first}::bigint, ${id}::bigint)`,
    },
    email: { by: sql`signup.email`, beyond: sql`signup.email > ${first}` },
  } as const;
  const { by, beyond } = orders[sort];
  const condition = peopleCondition(sql, filter);
  return withLastMail(
    sql,
    sql`${after === null ? condition : sql`${condition} AND ${beyond}`} ORDER BY ${by} LIMIT ${limit}`,
  );
}

/** Rows of people with their last message, apart from campaigns. `rest`: the condition and all that follows. */
function withLastMail(sql: Queries, rest: ReturnType<Queries>) {
  return sql`
    SELECT signup.*, mail.state AS mail_state, attempts, next_attempt_at, reason, changed_at
    FROM early_access.email_signups AS signup LEFT JOIN LATERAL (
      SELECT * FROM early_access.mails WHERE signup_id = signup.id AND campaign_id IS NULL ORDER BY id DESC LIMIT 1
    ) AS mail ON true WHERE ${rest}
  `;
}
