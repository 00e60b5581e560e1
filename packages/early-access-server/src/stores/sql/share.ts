import { setImmediate } from 'node:timers/promises';
import { domainKey, mailboxKey } from '../../app/lifecycle/mailbox.ts';
import { PERSON_STATES } from '../../app/lifecycle/states.ts';
import { isPersonId } from '../../app/people/person-id.ts';
import {
  MAX_BROUGHT,
  type OwnLink,
  type PersonReferrals,
  type ShareLink,
  type SharePerson,
  type ShareStore,
} from '../../app/ports/share-store.ts';
import { CREDITS, type Credit } from '../../app/share/credit.ts';
import { chooseLink, isEntered, type Sharer, type StoredLink } from '../../app/share/own-link.ts';
import {
  decideCredit,
  MAX_SHARED_PER_HOUR,
  newShareCode,
  PLACE_STEP_MS,
  SHARE_SOURCE,
  SHARED_WINDOW_MS,
} from '../../app/share/share-link.ts';
import { PERSON_COLUMNS, toPersonRow } from './list-rows.ts';
import { forgetCode } from './list-status.ts';
import { toEntered } from './record-rows.ts';
import { integer, integers, type Row, readChoice, text, textOrNull, texts } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { raw, type Statement, sql, type Transaction } from './statement.ts';

/**
 * The time that determines the place in line: the signup time minus `PLACE_STEP_MS` for each counted referral. An index
 * uses exactly this expression.
 */
export const PLACE_KEY = sql`(signup.created_at - signup.referrals * ${raw(String(PLACE_STEP_MS))})`;

/** Signups through share links, which have a partial index. */
const IS_SHARED = sql`utm_source = 'share'`;

export function shareStore({ query, read, write }: SqlDatabase): ShareStore {
  /** Only creates a code if it is missing, so that reading a status page often causes no writes. */
  async function readLink(person: Statement, submissionId: string | null): Promise<OwnLink | null> {
    const sharer = await read(() => selectSharer(person));
    const link = sharer && chooseLink(sharer, submissionId);
    return link === null || hasCode(link) ? link : write(() => createLink(person, submissionId));
  }
  return {
    openLink: (email, submissionId) => readLink(sql`email = ${email}`, submissionId),
    readShare: async (id) => (isPersonId(id) ? readLink(sql`person_id = ${id}`, null) : null),
    readPlace: (code) => readPlace(query, code),
    links: async (limit) => (await query(selectLinks(limit))).map(toShareLink),
    decide: (id, credit) =>
      write(function* () {
        const before: Credit = credit === 'held' ? 'rejected' : 'held';
        const { count } =
          yield* sql`UPDATE @share_credits SET credit = ${credit} WHERE brought_by = ${id} AND credit = ${before}`;
        yield* countReferrals([id]);
        return count;
      }),
  };
}

/** Gives credit to the person who referred this one. Call it once the address is confirmed. */
export function* creditReferrer(signupId: number): Transaction<void> {
  const [friend] =
    yield* sql`SELECT * FROM @email_signups WHERE id = ${signupId} AND ${IS_SHARED} AND utm_content IS NOT NULL`;
  if (friend === undefined) return;
  const code = text(friend, 'utm_content');
  const [referrer] = yield* sql`SELECT person_id, email FROM @email_signups WHERE share_code = ${code} #lock`;
  if (referrer === undefined) return;
  const [friendId, referrerId] = [text(friend, 'person_id'), text(referrer, 'person_id')];
  const mailbox = mailboxKey(text(friend, 'email'));
  const at = integer(friend, 'created_at');
  const [repeated] = yield* sql`SELECT 1 FROM @share_credits WHERE mailbox = ${mailbox} OR friend = ${friendId}`;
  // Includes the referred person, unless there are too many anyway.
  const confirmed = yield* sql`
    SELECT email, share_network FROM @email_signups WHERE ${IS_SHARED} AND utm_content = ${code} AND confirmed_at IS NOT NULL
      AND created_at BETWEEN ${at - SHARED_WINDOW_MS} AND ${at + SHARED_WINDOW_MS} LIMIT ${MAX_SHARED_PER_HOUR + 1}
  `;
  const domain = domainKey(text(friend, 'email'));
  const network = textOrNull(friend, 'share_network');
  const credit = decideCredit({
    friend: mailbox,
    referrer: mailboxKey(text(referrer, 'email')),
    isKnown: friend.traffic_source_id === null || friend.unsubscribed_at !== null,
    isRepeated: repeated !== undefined,
    signups: confirmed.length,
    ofDomain: confirmed.filter((row) => domainKey(text(row, 'email')) === domain).length,
    ofNetwork: network === null ? 0 : confirmed.filter((row) => row.share_network === network).length,
  });
  if (credit === null) return;
  yield* sql`
    INSERT INTO @share_credits (friend, brought_by, mailbox, credit) VALUES (${friendId}, ${referrerId}, ${mailbox}, ${credit})
  `;
  if (credit === 'counted') yield* countReferrals([referrerId]);
}

/** Deletes all data about the links of erased people. `rows` contain `person_id`, `share_code` and `entered`. */
export function* eraseShares(rows: readonly Row[]): Transaction<void> {
  const ids = toJson(rows.map((row) => text(row, 'person_id')));
  const codes = rows.flatMap((row) => [textOrNull(row, 'share_code') ?? [], toEntered(row)?.share_code ?? []].flat());
  const credits = yield* sql`
    DELETE FROM @share_credits WHERE friend IN (SELECT value ->> 0 FROM #each(${ids}))
      OR brought_by IN (SELECT value ->> 0 FROM #each(${ids}))
    RETURNING brought_by
  `;
  yield* countReferrals(credits.map((row) => text(row, 'brought_by')));
  if (codes.length === 0) return;
  const brought = sql`${IS_SHARED} AND utm_content IN (SELECT value ->> 0 FROM #each(${toJson(codes)}))`;
  yield* sql`UPDATE @email_signups SET utm_content = NULL WHERE ${brought}`;
  yield* sql`UPDATE @sessions SET utm_content = NULL WHERE ${brought}`;
  for (const code of codes) yield* forgetCode(code);
}

/** Updates the number of counted referrals of these people. */
function* countReferrals(ids: readonly string[]): Transaction<void> {
  if (ids.length === 0) return;
  yield* sql`
    UPDATE @email_signups AS person SET referrals = (
      SELECT count(*) FROM @share_credits WHERE brought_by = person.person_id AND credit = 'counted'
    ) WHERE person_id IN (SELECT value ->> 0 FROM #each(${toJson(ids)}))
  `;
}

const toJson = (values: readonly string[]) => JSON.stringify(values.map((value) => [value]));

/** Creates a link's code, unless another process has just created it. */
function* createLink(person: Statement, submissionId: string | null): Transaction<OwnLink | null> {
  const sharer = yield* selectSharer(person, sql`#lock`);
  const link = sharer && chooseLink(sharer, submissionId);
  if (sharer === null || link === null) return null;
  if (hasCode(link)) return link;
  const code = newShareCode();
  const change = isEntered(sharer, submissionId)
    ? sql`entered = ${JSON.stringify({ ...sharer.entered, share_code: code })}`
    : sql`share_code = ${code}`;
  yield* sql`UPDATE @email_signups SET ${change} WHERE ${person}`;
  return { ...link, code };
}

const hasCode = (link: StoredLink): link is OwnLink => link.code !== null;

/** Returns null if there is no such person. */
function* selectSharer(person: Statement, lock = sql``): Transaction<Sharer | null> {
  const [row] = yield* sql`
    SELECT ${PERSON_COLUMNS}, share_code, page_url, referrals,
      (SELECT count(*) FROM @share_credits WHERE brought_by = person_id AND credit = 'held') AS held
    FROM @email_signups WHERE ${person} ${lock}
  `;
  if (row === undefined) return null;
  return {
    ...toPersonRow(row),
    submissionId: text(row, 'submission_id'),
    link: {
      code: textOrNull(row, 'share_code'),
      page: textOrNull(row, 'page_url'),
      confirmed: integer(row, 'referrals'),
      held: integer(row, 'held'),
    },
  };
}

/** Rows per step, counted in the index of states or looked up one by one. Both take a millisecond or two. */
const [COUNTED, LOOKED_UP] = [10_000, 500];

/**
 * People who signed up earlier are counted through the index of states. The few who are ahead only because of their
 * referrals are counted through the index of places. Yields between the steps, because SQLite blocks the event loop.
 */
async function readPlace(query: SqlDatabase['query'], code: string): Promise<number | null> {
  const [row] = await query(
    sql`SELECT id, state, ${PLACE_KEY} AS place_key FROM @email_signups AS signup WHERE share_code = ${code}`,
  );
  if (row?.state !== 'subscribed') return null;
  const [key, id] = [integer(row, 'place_key'), integer(row, 'id')];
  const count = async (people: Statement) => {
    const [counted] = await query(sql`SELECT count(*) AS people FROM @email_signups AS signup WHERE ${people}`);
    return integer(counted, 'people');
  };
  const earlier = (at: number, after: number) =>
    sql`state = 'subscribed' AND (created_at, id) > (${at}, ${after}) AND (created_at, id) < (${key}, ${id})`;
  let place = 1;
  for (let [at, after] = [Number.MIN_SAFE_INTEGER, 0]; ; await setImmediate()) {
    const [last] = await query(sql`
      SELECT created_at, id FROM @email_signups WHERE ${earlier(at, after)}
      ORDER BY created_at, id LIMIT 1 OFFSET CAST(${COUNTED - 1} AS bigint)
    `);
    if (last === undefined) {
      place += await count(earlier(at, after));
      break;
    }
    place += COUNTED;
    [at, after] = [integer(last, 'created_at'), integer(last, 'id')];
  }
  for (let from = Number.MIN_SAFE_INTEGER; from < key; await setImmediate()) {
    const [last] = await query(sql`
      SELECT ${PLACE_KEY} AS place_key FROM @email_signups AS signup
      WHERE referrals > 0 AND ${PLACE_KEY} > ${from} AND ${PLACE_KEY} <= ${key}
      ORDER BY ${PLACE_KEY} LIMIT 1 OFFSET CAST(${LOOKED_UP - 1} AS bigint)
    `);
    const to = last === undefined ? key : integer(last, 'place_key');
    place += await count(sql`
      referrals > 0 AND #unindexed state = 'subscribed' AND ${PLACE_KEY} > ${from} AND ${PLACE_KEY} <= ${to}
        AND (${PLACE_KEY}, id) < (${key}, ${id}) AND (created_at, id) >= (${key}, ${id})
    `);
    from = to;
  }
  return place;
}

function selectLinks(limit: number): Statement {
  const countCredits = (credit: Credit) =>
    sql`(SELECT count(*) FROM @share_credits WHERE brought_by = owner.person_id AND credit = ${credit})`;
  return sql`
    SELECT * FROM (SELECT owner.id, person_id, email, coalesce(signups, 0) AS signups, coalesce(confirmed, 0) AS confirmed, referrals AS counted,
      ${countCredits('held')} AS held, ${countCredits('rejected')} AS rejected
    FROM @email_signups AS owner LEFT JOIN (
      SELECT utm_content, count(*) AS signups, count(confirmed_at) AS confirmed FROM @email_signups
      WHERE ${IS_SHARED} AND utm_content IS NOT NULL GROUP BY utm_content
    ) AS link ON link.utm_content = owner.share_code
    WHERE share_code IS NOT NULL
      AND (signups > 0 OR EXISTS (SELECT 1 FROM @share_credits WHERE brought_by = owner.person_id))
    ) AS shown ORDER BY held > 0 DESC, signups DESC, id LIMIT CAST(${limit} AS bigint)
  `;
}

function toShareLink(row: Row): ShareLink {
  return {
    id: text(row, 'person_id'),
    email: text(row, 'email'),
    ...integers(row, ['signups', 'confirmed', 'counted', 'held', 'rejected']),
  };
}

/** Selects who referred the person in a row of `email_signups`, and whom they referred. */
export function* selectReferrals(row: Row): Transaction<PersonReferrals> {
  const id = text(row, 'person_id');
  const [own] = yield* sql`SELECT credit, brought_by FROM @share_credits WHERE friend = ${id}`;
  const code = row.utm_source === SHARE_SOURCE ? textOrNull(row, 'utm_content') : null;
  const [referrer] = yield* own === undefined
    ? sql`SELECT person_id, email, state FROM @email_signups WHERE share_code = ${code}`
    : sql`SELECT person_id, email, state FROM @email_signups WHERE person_id = ${text(own, 'brought_by')}`;
  // A friend who unsubscribed and returned without the link still counts.
  const brought = yield* sql`
    SELECT signup.person_id, email, state, credit, created_at FROM @share_credits
    JOIN @email_signups AS signup ON signup.person_id = friend WHERE brought_by = ${id}
    UNION ALL SELECT signup.person_id, email, state, NULL, created_at FROM @email_signups AS signup
    WHERE ${IS_SHARED} AND utm_content = ${textOrNull(row, 'share_code')}
      AND NOT EXISTS (SELECT 1 FROM @share_credits WHERE friend = signup.person_id)
    ORDER BY created_at DESC, person_id LIMIT CAST(${MAX_BROUGHT} AS bigint)
  `;
  return {
    brought_by: referrer === undefined ? null : toSharePerson(referrer),
    credit: own === undefined ? null : toCredit(own),
    brought: brought.map((friend) => ({ ...toSharePerson(friend), credit: toCredit(friend) })),
  };
}

function toSharePerson(row: Row): SharePerson {
  const { person_id: id, email } = texts(row, ['person_id', 'email']);
  return { id, email, state: readChoice(row, 'state', PERSON_STATES) };
}

function toCredit(row: Row): Credit | null {
  return row.credit === null ? null : readChoice(row, 'credit', CREDITS);
}
