import { type Audience, type Campaign, type CampaignContent, mayBecome, NEW_DRAFT } from '../../app/list/campaign.ts';
import type { Segment } from '../../app/list/segment.ts';
import type { CampaignStore } from '../../app/ports/campaign-store.ts';
import type { Clock } from '../../app/ports/clock.ts';
import { nextStep, toCampaign } from './campaign-row.ts';
import { queueMessages } from './messages.ts';
import { integer, parseRowId, type Row } from './row.ts';
import { segmentCondition } from './segments.ts';
import type { SqlDatabase } from './sql-database.ts';
import { list, type Statement, sql, type Transaction } from './statement.ts';

/** People that one transaction goes through. */
const STEP = 10_000;

export function campaignStore({ query, read, write }: SqlDatabase, clock: Clock): CampaignStore {
  return {
    list: async () => (await query(sql`SELECT * FROM @campaigns ORDER BY id DESC`)).map(toCampaign),
    find: (id) => read(() => find(id)),
    audienceSize: (audience, newest) => read(() => audienceSize(audience, clock(), newest)),
    create: (content, { revision, replaces } = NEW_DRAFT) => write(() => create(content, revision, replaces, clock())),
    async save(id, content, { revision, replaces }) {
      const which = sql`id = ${parseRowId(id)} AND revision IN (${list(replaces)})`;
      return (await write(() => updateDraft(content, revision, which))).count === 1;
    },
    async remove(id) {
      const removed = await write(() => sql`DELETE FROM @campaigns WHERE id = ${parseRowId(id)} AND state = 'draft'`);
      return removed.count === 1;
    },
    change: (id, to, revision) => write(() => change(id, to, revision, clock())),
    async feed() {
      const sending = await query(SENDING);
      return sending.some((row) => nextStep(row) !== 'wait') ? write(() => feed(clock())) : 0;
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
    WHERE state = 'draft' AND ${which} RETURNING *
  `;
}

function* find(id: string): Transaction<Campaign | null> {
  const [row] = yield* sql`SELECT * FROM @campaigns WHERE id = ${parseRowId(id)}`;
  return row === undefined ? null : toCampaign(row);
}

function* audienceSize({ states, source, conditions }: Audience, at: number, newest?: number): Transaction<number> {
  const ofSource = source === null ? sql`` : sql`AND source = ${source}`;
  // No index has all conditions, so the cost depends on the people who are looked at.
  const isBounded = conditions !== undefined && newest !== undefined;
  const looked = isBounded
    ? sql`(SELECT * FROM @email_signups ORDER BY id DESC LIMIT CAST(${newest} AS bigint))`
    : sql`@email_signups`;
  const [row] = yield* sql`
    SELECT count(*) AS people FROM ${looked} AS signup
    WHERE state IN (${list(states)}) ${ofSource} ${meetsConditions(conditions, at)}
  `;
  return integer(row, 'people');
}

function meetsConditions(conditions: Segment | undefined, at: number): Statement {
  return conditions === undefined ? sql`` : sql`AND ${segmentCondition({ conditions, at })}`;
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
  // Before the campaign is locked, as in every transaction that changes its messages.
  if (to === 'cancelled') yield* sql`DELETE FROM @mails WHERE campaign_id = ${key} AND state = 'queued'`;
  if (campaign.state === 'draft' && to === 'sending') {
    yield* sql`
      UPDATE @campaigns SET started_at = ${now}, people = ${yield* audienceSize(campaign.audience, now)},
        last_id = (SELECT coalesce(max(id), 0) FROM @email_signups)
      WHERE id = ${key}
    `;
  }
  yield* sql`UPDATE @campaigns SET state = ${to} WHERE id = ${key}`;
  return true;
}

const QUEUED = sql`FROM @mails WHERE campaign_id = campaigns.id AND state = 'queued'`;

/** The campaigns that are being sent, with the numbers of their messages that are `queued`, and of those `waiting` for a first attempt. */
const SENDING = sql`
  SELECT campaigns.*, (SELECT count(*) ${QUEUED}) AS queued, (SELECT count(*) ${QUEUED} AND attempts = 0) AS waiting
  FROM @campaigns AS campaigns WHERE state = 'sending' ORDER BY id
`;

function* feed(now: number): Transaction<number> {
  let fed = 0;
  for (const row of yield* SENDING) {
    const step = nextStep(row);
    if (step === 'end') yield* sql`UPDATE @campaigns SET state = 'done' WHERE id = ${integer(row, 'id')}`;
    else if (step !== 'wait') fed += yield* queueNext(row, step, now);
  }
  return fed;
}

/** Queues at most `room` messages to the next people. Returns how many people it went through. */
function* queueNext(row: Row, room: number, now: number): Transaction<number> {
  const [id, position, last] = [integer(row, 'id'), integer(row, 'position'), integer(row, 'last_id')];
  const end = Math.min(last, position + STEP);
  const startedAt = integer(row, 'started_at');
  const { states, source, conditions } = toCampaign(row).audience;
  const ofSource = source === null ? sql`` : sql`AND #unindexed source = ${source}`;
  // The order of ids needs no other index. People who signed up later are left out, even if an id was given again.
  const people = yield* sql`
    SELECT id FROM @email_signups AS signup WHERE id > ${position} AND id <= ${end}
      AND #unindexed created_at <= ${startedAt} AND #unindexed state IN (${list(states)}) ${ofSource}
      ${meetsConditions(conditions, startedAt)}
    ORDER BY id LIMIT ${room}
  `;
  const ids = people.map((person) => integer(person, 'id'));
  yield* queueMessages(ids, 'campaign', now, id);
  const reached = people.length < room ? end : (ids.at(-1) ?? end);
  yield* sql`UPDATE @campaigns SET position = ${reached} WHERE id = ${id}`;
  return reached - position;
}
