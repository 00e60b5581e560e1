import { DAY_MS } from 'early-access-kit/internal';
import {
  type Audience,
  afterStop,
  type Campaign,
  type CampaignContent,
  type CampaignReaction,
  FOLLOWED_UP,
  lastInvitation,
  mayBecome,
  mayBeFollowed,
  maySchedule,
  NEW_DRAFT,
  type StartTime,
  scheduleStart,
} from '../../app/campaigns/campaign.ts';
import type { Notice } from '../../app/mail/notice.ts';
import type { CampaignStore } from '../../app/ports/campaign-store.ts';
import type { Clock } from '../../app/ports/clock.ts';
import { meetsAudience, meetsConditions, QUEUED_COUNTS } from './campaign-parts.ts';
import { nextStep, toCampaign } from './campaign-row.ts';
import { queueMessages, queueNotices } from './messages.ts';
import { integer, integerOrNull, parseRowId, type Row } from './row.ts';
import { campaignSeries, feedSeries, turnOn } from './series.ts';
import type { SqlDatabase } from './sql-database.ts';
import { list, raw, type Statement, sql, type Transaction } from './statement.ts';

/** People processed per transaction. */
const STEP = 10_000;

export function campaignStore(database: SqlDatabase, clock: Clock): CampaignStore {
  const { query, read, write } = database;
  return {
    series: campaignSeries(database, clock),
    list: async () => (await query(sql`SELECT * FROM @campaigns ORDER BY id DESC`)).map(toCampaign),
    find: (id) => read(() => find(id)),
    audienceSize: (audience, newest) =>
      read(function* () {
        const count = yield* audienceSize(audience, clock(), { newest });
        const [totals] = yield* sql`SELECT signups FROM @totals`;
        return { count, is_partial: isBounded(audience, newest) && integer(totals, 'signups') > newest };
      }),
    create: (content, { revision, replaces } = NEW_DRAFT) => write(() => create(content, revision, replaces, clock())),
    async save(id, content, { revision, replaces }) {
      const one = sql`id = ${parseRowId(id)}`;
      const which = replaces === undefined ? one : sql`${one} AND revision IN (${list(replaces)})`;
      return (await write(() => updateDraft(content, revision, which))).count === 1;
    },
    async remove(id) {
      const key = parseRowId(id);
      const removed = await write(
        () => sql`
          DELETE FROM @campaigns WHERE id = ${key} AND state = 'draft'
            AND NOT EXISTS (SELECT 1 FROM @campaigns AS next WHERE next.series_previous = ${key})
        `,
      );
      return removed.count === 1;
    },
    change: (id, to, revision) => write(() => change(id, to, revision, clock())),
    async stop(recipients, notice) {
      const [any] = await query(sql`SELECT 1 FROM @campaigns WHERE state = 'sending' LIMIT 1`);
      return any === undefined ? 0 : write(() => stop(recipients, notice, clock()));
    },
    async feed() {
      const sending = await query(SENDING);
      const fed = sending.some((row) => nextStep(row) !== 'wait') ? await write(() => feed(clock())) : 0;
      return fed + (await feedSeries(database, clock));
    },
    schedule: {
      set: (id, time, revision) => write(() => schedule(id, time, revision, clock())),
      async startDue() {
        const due = await query(selectDue(clock()));
        return due.length === 0 ? [] : write(() => startDue(clock()));
      },
      followUp: (id, afterDays) => write(() => followUp(id, afterDays, clock())),
    },
  };
}

function* create(
  content: CampaignContent,
  revision: string,
  replaces: readonly string[],
  now: number,
): Transaction<Campaign> {
  const known = list([revision, ...replaces].filter((name) => name !== ''));
  const [continued] = yield* updateDraft(content, revision, sql`revision IN (${known})`);
  if (continued !== undefined) return toCampaign(continued);
  const { subject, body, audience } = content;
  const [row] = yield* sql`
    INSERT INTO @campaigns (subject, body, states, source, conditions, revision, created_at)
    VALUES (${subject}, ${body}, ${JSON.stringify(audience.states)}, ${audience.source}, ${conditionsJson(audience)}, ${revision}, ${now})
    RETURNING *
  `;
  if (row === undefined) throw new TypeError('the campaign was not stored');
  return toCampaign(row);
}

function updateDraft({ subject, body, audience }: CampaignContent, revision: string, which: Statement): Statement {
  return sql`
    UPDATE @campaigns SET subject = ${subject}, body = ${body}, states = ${JSON.stringify(audience.states)},
      source = ${audience.source}, conditions = ${conditionsJson(audience)}, revision = ${revision}
    WHERE (state = 'draft' OR (state = 'paused' AND series_days IS NOT NULL)) AND ${which} RETURNING *
  `;
}

function* stop(recipients: readonly string[], notice: Notice, now: number): Transaction<number> {
  const paused = yield* sql`
    UPDATE @campaigns SET state = 'paused', stopped_at = ${now} WHERE state = 'sending' RETURNING id
  `;
  if (paused.length > 0) yield* queueNotices(recipients, notice, now);
  return paused.length;
}

function* find(id: string): Transaction<Campaign | null> {
  const [row] = yield* sql`SELECT * FROM @campaigns WHERE id = ${parseRowId(id)}`;
  return row === undefined ? null : toCampaign(row);
}

interface SizeLimits {
  /** If the audience has conditions, only this number of the newest people are counted. */
  readonly newest?: number | undefined;
  readonly limits?: Statement;
}

/** No index covers all conditions, so the cost depends on the number of people read. */
function isBounded({ conditions }: Audience, newest: number | undefined): newest is number {
  return conditions !== undefined && newest !== undefined;
}

function* audienceSize(
  audience: Audience,
  at: number,
  { newest, limits = sql`` }: SizeLimits = {},
): Transaction<number> {
  const { states, source, conditions } = audience;
  const ofSource = source === null ? sql`` : sql`AND source = ${source}`;
  const looked = isBounded(audience, newest)
    ? sql`(SELECT * FROM @email_signups ORDER BY id DESC LIMIT CAST(${newest} AS bigint))`
    : sql`@email_signups`;
  const [row] = yield* sql`
    SELECT count(*) AS people FROM ${looked} AS signup
    WHERE state IN (${list(states)}) ${ofSource} ${meetsConditions(conditions, at)} ${limits}
  `;
  return integer(row, 'people');
}

function conditionsJson({ conditions }: Audience): string | null {
  return conditions === undefined ? null : JSON.stringify(conditions);
}

function* change(
  id: string,
  to: Parameters<CampaignStore['change']>[1],
  revision: string | undefined,
  now: number,
): Transaction<boolean> {
  const campaign = yield* find(id);
  if (campaign === null || !mayBecome(campaign, to, revision)) return false;
  const key = parseRowId(id);
  // Before the campaign is locked, in the same lock order as in all transactions that change its messages.
  if (to === 'cancelled') yield* sql`DELETE FROM @mails WHERE campaign_id = ${key} AND state = 'queued'`;
  if (campaign.state === 'draft' && to === 'sending')
    yield* campaign.series === null ? start(campaign, now) : turnOn(key, now);
  if (to === 'draft') yield* sql`UPDATE @campaigns SET scheduled_at = NULL, time_zone = NULL WHERE id = ${key}`;
  if (to === 'cancelled') yield* sql`UPDATE @campaigns SET ended_at = ${now} WHERE id = ${key}`;
  const { stopped_at, resumed_at } = afterStop(campaign, to, now);
  yield* sql`UPDATE @campaigns SET state = ${to}, stopped_at = ${stopped_at}, resumed_at = ${resumed_at} WHERE id = ${key}`;
  return true;
}

function* start(campaign: Campaign, now: number): Transaction<void> {
  yield* sql`
    UPDATE @campaigns SET state = 'sending', started_at = ${now}, people = ${yield* audienceSize(campaign.audience, now, { limits: limitFollowUp(campaign, now) })},
      last_id = (SELECT coalesce(max(id), 0) FROM @email_signups)
    WHERE id = ${parseRowId(campaign.id)}
  `;
}

function* schedule(
  id: string,
  time: StartTime | null,
  revision: string | undefined,
  now: number,
): Transaction<boolean> {
  const campaign = yield* find(id);
  if (campaign === null || !maySchedule(campaign, time, revision)) return false;
  const first = campaign.follows === null ? null : yield* find(campaign.follows);
  const at = scheduleStart(campaign, time, first, now);
  yield* sql`
    UPDATE @campaigns SET state = 'scheduled', scheduled_at = ${at}, time_zone = ${time?.zone ?? null}
    WHERE id = ${parseRowId(id)}
  `;
  return true;
}

/** The campaigns that are due at `now`, with their start time as `due`. */
function selectDue(now: number): Statement {
  const due = sql`coalesce(campaign.scheduled_at, first.ended_at + campaign.after_days * CAST(${DAY_MS} AS bigint))`;
  return sql`
    SELECT campaign.*, ${due} AS due FROM @campaigns AS campaign LEFT JOIN @campaigns AS first ON first.id = campaign.follows
    WHERE campaign.state = 'scheduled' AND ${due} <= ${now} ORDER BY campaign.id
  `;
}

function* startDue(now: number): Transaction<readonly Campaign[]> {
  const started: Campaign[] = [];
  for (const row of yield* selectDue(now)) {
    const campaign = toCampaign(row);
    yield* start(campaign, now);
    yield* sql`UPDATE @campaigns SET scheduled_at = ${integer(row, 'due')} WHERE id = ${integer(row, 'id')}`;
    const stored = yield* find(campaign.id);
    if (stored !== null) started.push(stored);
  }
  return started;
}

function* followUp(id: string, afterDays: number, now: number): Transaction<Campaign | null> {
  const first = yield* find(id);
  if (first === null || !mayBeFollowed(first)) return null;
  const key = parseRowId(id);
  const audience = JSON.stringify([FOLLOWED_UP]);
  const [row] = yield* sql`
    INSERT INTO @campaigns AS stored (subject, body, states, created_at, follows, after_days)
    VALUES ('', '', ${audience}, ${now}, ${key}, ${afterDays})
    ON CONFLICT (follows) WHERE follows IS NOT NULL DO UPDATE SET after_days = excluded.after_days WHERE stored.state = 'draft'
    RETURNING *
  `;
  return row === undefined ? null : toCampaign(row);
}

/** Limits a follow-up to recipients of the preceding campaign who have had enough days to join. */
function limitFollowUp(
  { follows, after_days }: Pick<Campaign, 'follows' | 'after_days'>,
  startedAt: number,
): Statement {
  if (follows === null || after_days === null) return sql``;
  return sql`
    AND #unindexed state = ${FOLLOWED_UP} AND coalesce(invited_at, created_at) <= ${lastInvitation(after_days, startedAt)}
    AND EXISTS (
      SELECT 1 FROM @mails WHERE campaign_id = ${parseRowId(follows)} AND signup_id = signup.id AND state = 'sent'
    )
  `;
}

/** Counts a reaction once per person, for these messages and their campaigns. */
export function* countReaction(messages: Statement, reaction: CampaignReaction): Transaction<void> {
  const column = raw(reaction);
  const counted = yield* sql`
    UPDATE @mails SET ${column} = 1 WHERE ${messages} AND ${column} = 0 RETURNING campaign_id
  `;
  const ids = counted.flatMap((row) => integerOrNull(row, 'campaign_id') ?? []);
  if (ids.length > 0) yield* sql`UPDATE @campaigns SET ${column} = ${column} + 1 WHERE id IN (${list(ids)})`;
}

/**
 * The campaigns that are being sent, with the number of their `queued` messages, and of those `waiting` for their first
 * attempt.
 */
const SENDING = sql`
  SELECT campaigns.*, ${QUEUED_COUNTS} FROM @campaigns AS campaigns
  WHERE state = 'sending' AND series_days IS NULL ORDER BY id
`;

function* feed(now: number): Transaction<number> {
  let fed = 0;
  for (const row of yield* SENDING) {
    const step = nextStep(row);
    if (step === 'end')
      yield* sql`UPDATE @campaigns SET state = 'done', ended_at = coalesce(ended_at, ${now}) WHERE id = ${integer(row, 'id')}`;
    else if (step !== 'wait') fed += yield* queueNext(row, step, now);
  }
  return fed;
}

/** Queues at most `room` messages for the next people. Returns how many people were processed. */
function* queueNext(row: Row, room: number, now: number): Transaction<number> {
  const [id, position, last] = [integer(row, 'id'), integer(row, 'position'), integer(row, 'last_id')];
  const end = Math.min(last, position + STEP);
  const campaign = toCampaign(row);
  const startedAt = integer(row, 'started_at');
  // Ordered by id, which needs no further index. Excludes people who signed up later, even if an id was reused.
  const people = yield* sql`
    SELECT id FROM @email_signups AS signup WHERE id > ${position} AND id <= ${end}
      AND #unindexed created_at <= ${startedAt} AND ${meetsAudience(campaign.audience, startedAt)}
      ${limitFollowUp(campaign, startedAt)}
    ORDER BY id LIMIT ${room}
  `;
  const ids = people.map((person) => integer(person, 'id'));
  yield* queueMessages(ids, 'campaign', now, { campaignId: id });
  const reached = people.length < room ? end : (ids.at(-1) ?? end);
  yield* sql`UPDATE @campaigns SET position = ${reached} WHERE id = ${id}`;
  return reached - position;
}
