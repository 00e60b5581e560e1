import type { SignupResult } from 'early-access-kit/core';
import type { ListStatusNow, ListStatusStore, StoredRequest } from '../../app/ports/list-status-store.ts';
import {
  findClosed,
  isListClosed,
  type ListClosed,
  type ListStatus,
  needsPeople,
  type OpeningRequest,
  PLACE_STATES,
  readListStatus,
} from '../../app/signup/list-status.ts';
import { integer, type Row, text, textOrNull } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { each, list, type Statement, sql, type Transaction } from './statement.ts';

export const SELECT_LIST_STATUS = sql`SELECT data FROM @list_status`;

/**
 * Signs up the people whom the list accepts. All have distinct addresses and have to confirm. Returns their results in
 * the same order.
 */
export type SignUpRequests = (
  requests: readonly OpeningRequest[],
  now: number,
) => Transaction<readonly (SignupResult | ListClosed)[]>;

/** Requests read per query. */
const PAGE = 1_000;

export function listStatusStore(
  { query, read, write }: SqlDatabase,
  clock: () => number,
  signUpRequests: SignUpRequests,
): ListStatusStore {
  return {
    read: () =>
      read(function* () {
        const [row] = yield* SELECT_LIST_STATUS;
        return yield* readListStatusNow(row, clock());
      }),
    async save(status) {
      const data = JSON.stringify(status);
      await write(
        () => sql`
          INSERT INTO @list_status (id, data) VALUES (1, ${data}) ON CONFLICT (id) DO UPDATE SET data = excluded.data
        `,
      );
    },
    countRequests: async () =>
      integer((await query(sql`SELECT count(*) AS requests FROM @opening_requests`))[0], 'requests'),
    async *requests() {
      for (let after = 0; ; ) {
        const rows = await query(selectRequests(after, PAGE));
        yield* rows.map(toRequest);
        if (rows.length < PAGE) return;
        after = integer(rows.at(-1), 'id');
      }
    },
    admitRequests: (limit) => write(() => admitRequests(limit, signUpRequests, clock())),
  };
}

function* admitRequests(limit: number, signUpRequests: SignUpRequests, now: number): Transaction<number> {
  const [row] = yield* SELECT_LIST_STATUS;
  const { status, people } = yield* readListStatusNow(row, now);
  if (findClosed(status, people, now) !== null) return 0;
  const rows = yield* selectRequests(0, limit);
  const results = yield* signUpRequests(rows.map(toRequest), now);
  const admitted = rows.filter((_, index) => !isListClosed(results[index])).map((request) => integer(request, 'id'));
  yield* sql`DELETE FROM @opening_requests WHERE id IN (SELECT CAST(value AS bigint) FROM ${each(admitted)})`;
  return admitted.length;
}

function selectRequests(after: number, limit: number): Statement {
  return sql`SELECT * FROM @opening_requests WHERE id > ${after} ORDER BY id LIMIT CAST(${limit} AS bigint)`;
}

function toRequest(row: Row): StoredRequest {
  const { signup, language, network }: OpeningRequest = JSON.parse(text(row, 'data'));
  return { signup, language, network, created_at: integer(row, 'created_at') };
}

/** Stores requests, unless there already is one for the address. */
export function keepRequests(requests: readonly OpeningRequest[], now: number): Statement {
  const rows = each(requests.map((request) => [request.signup.email, JSON.stringify(request)]));
  return sql`
    INSERT INTO @opening_requests (email, created_at, data) SELECT value ->> 0, CAST(${now} AS bigint), value ->> 1 FROM ${rows}
    WHERE true ON CONFLICT (email) DO NOTHING
  `;
}

/** Deletes the request of an address and returns it, or null if there is none. */
export function* eraseRequest(email: string): Transaction<OpeningRequest | null> {
  const [row] = yield* sql`DELETE FROM @opening_requests WHERE email = ${email} RETURNING *`;
  return row === undefined ? null : toRequest(row);
}

/** Removes a share link's code from requests. It is never the first property, so a comma precedes it. */
export function forgetCode(code: string): Statement {
  const data = sql`replace(data, ${`,"utm_content":${JSON.stringify(code)}`}, '')`;
  return sql`UPDATE @opening_requests SET data = ${data} WHERE data <> ${data}`;
}

function* readListStatusNow(row: Row | undefined, now: number): Transaction<ListStatusNow> {
  const status: ListStatus = readListStatus(row === undefined ? null : textOrNull(row, 'data'));
  if (!needsPeople(status, now)) return { status, people: 0 };
  const [counted] = yield* sql`
    SELECT count(*) AS people FROM (
      SELECT 1 AS place FROM @email_signups WHERE state IN (${list(PLACE_STATES)}) LIMIT CAST(${status.max_people} AS bigint)
    ) AS places
  `;
  return { status, people: integer(counted, 'people') };
}

/**
 * Decides about the new people of a transaction one by one, because each one accepted takes a place. `row` is the
 * result of `SELECT_LIST_STATUS`. Other writes must be locked out, so that only one person gets the last place.
 */
export function* openPlaces(row: Row | undefined, now: number): Transaction<() => ListClosed | null> {
  const { status, people } = yield* readListStatusNow(row, now);
  let taken = people;
  return () => {
    const closed = findClosed(status, taken, now);
    if (closed === null) taken += 1;
    return closed;
  };
}
