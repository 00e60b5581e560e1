import {
  type Audience,
  type Campaign,
  type CampaignContent,
  type CampaignStore,
  mayChangeCampaign,
} from '../../../app/list/campaign-store.ts';
import type { Clock } from '../../../app/ports.ts';
import { nextStep, toCampaign } from '../../sql/campaign-row.ts';
import { integer, type Row, rowIdOf } from '../../sql/row.ts';
import type { Queries, Transaction } from '../connection.ts';
import type { Database } from '../database.ts';

/** People that one transaction goes through. */
const STEP = 10_000;

export function campaignStore(database: Database, clock: Clock): CampaignStore {
  return {
    async list() {
      const rows = await database.read((sql) => sql`SELECT * FROM early_access.campaigns ORDER BY id DESC`);
      return rows.map(toCampaign);
    },
    find: (id) => database.read((sql) => find(sql, id)),
    audienceSize: (audience) => database.read((sql) => audienceSize(sql, audience)),
    create: (content) => database.write((tx) => create(tx, content, clock())),
    async save(id, { subject, body, audience }) {
      const saved = await database.write(
        async (tx) => tx`
          UPDATE early_access.campaigns SET subject = ${subject}, body = ${body},
            states = ${JSON.stringify(audience.states)}, source = ${audience.source}
          WHERE id = ${rowIdOf(id)} AND state = 'draft'
        `,
      );
      return saved.count === 1;
    },
    async remove(id) {
      const removed = await database.write(
        async (tx) => tx`DELETE FROM early_access.campaigns WHERE id = ${rowIdOf(id)} AND state = 'draft'`,
      );
      return removed.count === 1;
    },
    change: (id, to) => database.write((tx) => change(tx, id, to, clock())),
    async feed() {
      const sending = await database.read(findSending);
      return sending.some((row) => nextStep(row) !== 'wait') ? database.write((tx) => feed(tx, clock())) : 0;
    },
  };
}

async function find(sql: Queries, id: string): Promise<Campaign | null> {
  const [row] = await sql`SELECT * FROM early_access.campaigns WHERE id = ${rowIdOf(id)}`;
  return row === undefined ? null : toCampaign(row);
}

async function create(tx: Transaction, { subject, body, audience }: CampaignContent, now: number): Promise<Campaign> {
  const [row] = await tx`
    INSERT INTO early_access.campaigns (subject, body, states, source, created_at)
    VALUES (${subject}, ${body}, ${JSON.stringify(audience.states)}, ${audience.source}, ${now}) RETURNING *
  `;
  if (row === undefined) throw new TypeError('the campaign was not stored');
  return toCampaign(row);
}

function isInAudience(sql: Queries, { states, source }: Audience) {
  const isOfSource = source === null ? sql`` : sql`AND source = ${source}`;
  return sql`state = ANY(${[...states]}::text[]) ${isOfSource}`;
}

async function audienceSize(sql: Queries, audience: Audience): Promise<number> {
  const [row] = await sql`
    SELECT count(*) AS people FROM early_access.email_signups WHERE ${isInAudience(sql, audience)}
  `;
  return integer(row, 'people');
}

async function change(tx: Transaction, id: string, to: Parameters<CampaignStore['change']>[1], now: number) {
  const campaign = await find(tx, id);
  if (campaign === null || !mayChangeCampaign(campaign.state, to)) return false;
  const key = rowIdOf(id);
  // Before the campaign is locked, as in every transaction that changes its messages.
  if (to === 'cancelled') await tx`DELETE FROM early_access.mails WHERE campaign_id = ${key} AND state = 'queued'`;
  if (campaign.state === 'draft' && to === 'sending') {
    await tx`
      UPDATE early_access.campaigns SET started_at = ${now}, people = ${await audienceSize(tx, campaign.audience)},
        last_id = (SELECT coalesce(max(id), 0) FROM early_access.email_signups)
      WHERE id = ${key}
    `;
  }
  await tx`UPDATE early_access.campaigns SET state = ${to} WHERE id = ${key}`;
  return true;
}

/** The campaigns that are being sent, with the numbers of their messages that are `queued`, and of those `waiting` for a first attempt. */
function findSending(sql: Queries) {
  return sql`
    SELECT campaigns.*, counts.* FROM early_access.campaigns CROSS JOIN LATERAL (
      SELECT count(*) AS queued, count(*) FILTER (WHERE attempts = 0) AS waiting
      FROM early_access.mails WHERE campaign_id = campaigns.id AND mails.state = 'queued'
    ) AS counts
    WHERE campaigns.state = 'sending' ORDER BY id
  `;
}

async function feed(tx: Transaction, now: number): Promise<number> {
  let fed = 0;
  for (const row of await findSending(tx)) {
    const step = nextStep(row);
    if (step === 'end') await tx`UPDATE early_access.campaigns SET state = 'done' WHERE id = ${integer(row, 'id')}`;
    else if (step !== 'wait') fed += await queueNext(tx, row, step, now);
  }
  return fed;
}

/** Queues at most so many messages to the next people. Returns how many people it went through. */
async function queueNext(tx: Transaction, row: Row, room: number, now: number): Promise<number> {
  const [id, position, last] = [integer(row, 'id'), integer(row, 'position'), integer(row, 'last_id')];
  const end = Math.min(last, position + STEP);
  // Nobody who signed up later, even if a database was copied, in which ids of erased people are given again.
  const started = integer(row, 'started_at');
  const { audience } = toCampaign(row);
  const [queued] = await tx`
    WITH people AS (
      SELECT id FROM early_access.email_signups
      WHERE id > ${position} AND id <= ${end} AND created_at <= ${started} AND ${isInAudience(tx, audience)}
      ORDER BY id LIMIT ${room}
    ), added AS (
      INSERT INTO early_access.mails (signup_id, kind, campaign_id, message_key, next_attempt_at, changed_at)
      SELECT id, 'campaign', ${id}::bigint, gen_random_uuid()::text, ${now}::bigint, ${now}::bigint FROM people
      ON CONFLICT DO NOTHING
    )
    SELECT count(*) AS people, max(id) AS last FROM people
  `;
  const reached = integer(queued, 'people') < room ? end : integer(queued, 'last');
  await tx`UPDATE early_access.campaigns SET position = ${reached} WHERE id = ${id}`;
  return reached - position;
}
