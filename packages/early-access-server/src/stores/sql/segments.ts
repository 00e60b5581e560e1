import { randomUUID } from 'node:crypto';
import { DAY_MS } from 'early-access-kit/core';
import { findPeriod } from '../../app/analytics/range.ts';
import { MAX_SEGMENTS, readSegment, type SavedSegment, type SegmentAt } from '../../app/list/segment.ts';
import type { SegmentStore } from '../../app/ports/segment-store.ts';
import { integer, parseRowId, type Row, texts } from './row.ts';
import type { SqlDatabase } from './sql-database.ts';
import { list, type Statement, sql } from './statement.ts';

export function segmentStore({ query, write }: SqlDatabase): SegmentStore {
  return {
    list: async () => (await query(sql`SELECT * FROM @segments ORDER BY name`)).map(toSavedSegment),
    add: (name, conditions) =>
      write(function* () {
        const [counted] = yield* sql`SELECT count(*) AS segments FROM @segments`;
        if (integer(counted, 'segments') >= MAX_SEGMENTS) return 'full';
        const [row] = yield* sql`
          INSERT INTO @segments (id, name, conditions) VALUES (${randomUUID()}, ${name}, ${JSON.stringify(conditions)})
          ON CONFLICT (name) DO NOTHING RETURNING *
        `;
        return row === undefined ? 'taken' : toSavedSegment(row);
      }),
    rename: (id, name) =>
      write(function* () {
        const named = yield* sql`SELECT id FROM @segments WHERE name = ${name} AND id <> ${id}`;
        if (named.length > 0) return 'taken';
        return (yield* sql`UPDATE @segments SET name = ${name} WHERE id = ${id}`).count === 1 ? 'renamed' : 'gone';
      }),
    remove: async (id) => (await write(() => sql`DELETE FROM @segments WHERE id = ${id}`)).count === 1,
  };
}

function toSavedSegment(row: Row): SavedSegment {
  const { id, name, conditions } = texts(row, ['id', 'name', 'conditions']);
  return { id, name, conditions: readSegment(JSON.parse(conditions)) };
}

/** Emails of a campaign to `signup`. */
const selectMessages = (id: string) =>
  sql`SELECT 1 FROM @mails AS got WHERE got.campaign_id = ${parseRowId(id)} AND got.signup_id = signup.id`;

/** The condition on `email_signups AS signup` that everyone in the segment meets. */
export function segmentCondition({ conditions: segment, at }: SegmentAt): Statement {
  const { states, source, campaign, language, with_campaign, without_campaign, invited_days_ago: days } = segment;
  const { from, to } = findPeriod(segment, at);
  const conditions = [
    // The index of the order is read, because people who have the value would have to be sorted.
    states && sql`#unindexed signup.state IN (${list(states)})`,
    source && sql`#unindexed signup.source = ${source}`,
    campaign && sql`signup.utm_campaign = ${campaign}`,
    segment.import && sql`signup.import_id = ${segment.import}`,
    language && sql`signup.language = ${language}`,
    from !== null && sql`signup.created_at >= ${from}`,
    to !== null && sql`signup.created_at < ${to}`,
    ...Object.entries(segment.fields ?? {}).map(([name, value]) => fieldCondition(name, value)),
    days !== undefined && sql`#unindexed signup.state = 'invited' AND signup.invited_at <= ${at - days * DAY_MS}`,
    with_campaign && sql`EXISTS (${selectMessages(with_campaign)} AND got.state = 'sent')`,
    without_campaign && sql`NOT EXISTS (${selectMessages(without_campaign)} AND got.state <> 'failed')`,
  ];
  return conditions.reduce<Statement>((all, condition) => (condition ? sql`${all} AND ${condition}` : all), sql`true`);
}

/** Compares JSON, in which the text "true" and a ticked box are different. */
function fieldCondition(name: string, value: string | true): Statement {
  const found = sql`CAST(signup.fields#json -> CAST(${name} AS text) AS text)`;
  return value === true ? sql`${found} IS NOT NULL` : sql`${found} = ${JSON.stringify(value)}`;
}
