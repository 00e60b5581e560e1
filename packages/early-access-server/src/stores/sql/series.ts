import { type Campaign, campaignRoom } from '../../app/campaigns/campaign.ts';
import {
  dueUntil,
  inOrder,
  mayRetime,
  mayTime,
  pausedBefore,
  planStep,
  type SeriesStep,
  type WaitingPeople,
} from '../../app/campaigns/series.ts';
import { SERIES_STATES, type SeriesState, type StepTiming } from '../../app/campaigns/step-timing.ts';
import type { CampaignStore } from '../../app/ports/campaign-store.ts';
import type { Clock } from '../../app/ports/clock.ts';
import { meetsAudience, QUEUED_COUNTS } from './campaign-parts.ts';
import { toCampaign, toStep } from './campaign-row.ts';
import { queueMessages } from './messages.ts';
import { integer, parseRowId, type Row } from './row.ts';
import { SUBSCRIBED_AT } from './schema/series.ts';
import type { SqlDatabase } from './sql-database.ts';
import { list, raw, type Statement, sql, type Transaction } from './statement.ts';

/** The most people that one transaction processes per step. */
const PAGE = 300;

export function campaignSeries({ query, write }: SqlDatabase, clock: Clock): CampaignStore['series'] {
  return {
    add: (timing) => write(() => add(timing, clock())),
    retime: (id, timing) => write(() => retime(id, timing)),
    async waiting() {
      const now = clock();
      const waiting = new Map<string, WaitingPeople>();
      for (const row of await query(RUNNING)) {
        const step = toStep(row);
        const [counted] = await query(countWaiting(step, now));
        waiting.set(step.id, { late: integer(counted, 'late'), coming: integer(counted, 'coming') });
      }
      return waiting;
    },
  };
}

/** Queues due emails of the series. Returns how many people were processed. */
export async function feedSeries({ query, write }: SqlDatabase, clock: Clock): Promise<number> {
  let fed = 0;
  const steps = (await query(RUNNING)).map(toStep);
  for (const step of inOrder(steps).filter(({ state }) => state === 'sending')) {
    // Most calls find nobody and need no write.
    const next = await query(selectNext(step, sql`0 AS is_in_audience, 0 AS is_held`, clock(), 1));
    if (next.length > 0) fed += await write(() => feedStep(step.id, clock()));
  }
  return fed;
}

const OF_SERIES = sql`SELECT * FROM @campaigns WHERE series_days IS NOT NULL ORDER BY id`;
/** The steps that were turned on and have not ended, with the counts of their waiting messages. */
const RUNNING = sql`
  SELECT campaigns.*, ${QUEUED_COUNTS} FROM @campaigns AS campaigns
  WHERE series_days IS NOT NULL AND state IN ('sending', 'paused') ORDER BY id
`;

function* selectSteps() {
  const rows = yield* OF_SERIES;
  return rows.map((row) => ({ ...toStep(row), started_at: toCampaign(row).started_at }));
}

function* add(timing: StepTiming, now: number): Transaction<Campaign | null> {
  if (!mayTime(timing, null, yield* selectSteps())) return null;
  const { after, previous, days } = timing;
  // Everyone who may receive it, because the audience is only chosen together with the text.
  const [row] = yield* sql`
    INSERT INTO @campaigns (subject, body, states, created_at, series_after, series_previous, series_days)
    VALUES ('', '', ${JSON.stringify(SERIES_STATES)}, ${now}, ${after}, ${previous && parseRowId(previous)}, ${days}) RETURNING *
  `;
  return row === undefined ? null : toCampaign(row);
}

function* retime(id: string, timing: StepTiming): Transaction<boolean> {
  const steps = yield* selectSteps();
  const step = steps.find((candidate) => candidate.id === id);
  if (step === undefined || !mayRetime(step, timing, steps)) return false;
  const { after, previous, days } = timing;
  yield* sql`
    UPDATE @campaigns SET series_after = ${after}, series_previous = ${previous && parseRowId(previous)}, series_days = ${days}
    WHERE id = ${parseRowId(id)}
  `;
  return true;
}

/** A step runs until it is ended, for people who reach its moment from now on. */
export function turnOn(id: number, now: number): Statement {
  return sql`
    UPDATE @campaigns SET state = 'sending', started_at = ${now}, reached_at = ${now}, reached_id = NULL WHERE id = ${id}
  `;
}

const MOMENTS: Readonly<Record<SeriesState, string>> = {
  subscribed: SUBSCRIBED_AT,
  invited: 'invited_at',
  joined: 'joined_at',
};

/** The source of a step's moments: the times, the ids that order equal times, and the people as `signup`. */
function momentsOf({ after, previous }: StepTiming) {
  if (after !== null) {
    return { at: raw(MOMENTS[after]), id: raw('signup.id'), from: sql`@email_signups AS signup`, which: sql`` };
  }
  return {
    at: raw('earlier.changed_at'),
    id: raw('earlier.id'),
    from: sql`@mails AS earlier JOIN @email_signups AS signup ON signup.id = earlier.signup_id`,
    which: sql`AND earlier.state = 'sent' AND earlier.campaign_id = ${parseRowId(previous ?? '')}`,
  };
}

/** The next people of a step whose moments are due, found in order through an index. */
function selectNext(step: SeriesStep<number>, about: Statement, now: number, limit: number): Statement {
  const { at, id, from, which } = momentsOf(step.timing);
  const reached = step.reached ?? { at: now, id: null };
  // Without an id, everyone at that time has been processed.
  const first = reached.id === null ? reached.at + 1 : reached.at;
  return sql`
    SELECT signup.id AS signup_id, ${at} AS moment_at, ${id} AS moment_id, ${about},
      EXISTS (SELECT 1 FROM @mails AS own WHERE own.campaign_id = ${parseRowId(step.id)} AND own.signup_id = signup.id) AS has_message
    FROM ${from}
    WHERE ${at} >= ${first} AND ${at} <= ${dueUntil(step.timing, now)} AND (${at} > ${reached.at} OR ${id} > ${reached.id ?? 0}) ${which}
    ORDER BY ${at}, ${id} LIMIT CAST(${limit} AS bigint)
  `;
}

function countWaiting(step: SeriesStep<number>, now: number): Statement {
  const { at, id, from, which } = momentsOf(step.timing);
  const reached = step.reached ?? { at: now, id: null };
  const until = dueUntil(step.timing, now);
  const first = reached.id === null ? reached.at + 1 : reached.at;
  return sql`
    SELECT count(CASE WHEN ${at} <= ${until} THEN 1 END) AS late, count(CASE WHEN ${at} > ${until} THEN 1 END) AS coming
    FROM ${from} WHERE ${at} >= ${first} AND (${at} > ${reached.at} OR ${id} > ${reached.id ?? 0}) ${which}
  `;
}

/** Queues a step's messages to the next people and stores its progress, in one transaction. */
function* feedStep(id: string, now: number): Transaction<number> {
  const rows = yield* RUNNING;
  const steps = rows.map(toStep);
  const row = rows.find((candidate) => String(integer(candidate, 'id')) === id);
  const step = steps.find((candidate) => candidate.id === id);
  if (row === undefined || step === undefined) return 0;
  const room = campaignRoom({ queued: integer(row, 'queued'), waiting: integer(row, 'waiting') });
  if (room === 0) return 0;
  const { audience } = toCampaign(row);
  const held = list(pausedBefore(step, steps).map(parseRowId));
  const about = sql`
    CASE WHEN ${meetsAudience(audience, now)} THEN 1 ELSE 0 END AS is_in_audience,
    EXISTS (
      SELECT 1 FROM @mails AS held WHERE held.signup_id = signup.id AND held.campaign_id IN (${held}) AND held.state = 'queued'
    ) AS is_held
  `;
  const people = (yield* selectNext(step, about, now, Math.min(room, PAGE))).map(toPerson);
  const { queued, looked, reached } = planStep(step, steps, people, now);
  if (reached === null) return 0;
  yield* queueMessages(
    queued.map(({ signupId }) => signupId),
    'campaign',
    now,
    { campaignId: parseRowId(id) },
  );
  // Another process may have advanced further in the meantime.
  yield* sql`
    UPDATE @campaigns SET reached_at = ${reached.at}, reached_id = ${reached.id}
    WHERE id = ${parseRowId(id)} AND (reached_at < ${reached.at} OR (reached_at = ${reached.at} AND coalesce(reached_id, 0) < ${reached.id}))
  `;
  return looked;
}

function toPerson(row: Row) {
  return {
    signupId: integer(row, 'signup_id'),
    moment: { at: integer(row, 'moment_at'), id: integer(row, 'moment_id') },
    isInAudience: integer(row, 'is_in_audience') === 1,
    hasMessage: Boolean(row.has_message),
    isHeld: Boolean(row.is_held),
  };
}
