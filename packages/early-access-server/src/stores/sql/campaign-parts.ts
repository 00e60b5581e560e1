import type { Audience } from '../../app/campaigns/campaign.ts';
import type { Segment } from '../../app/people/segment.ts';
import { segmentCondition } from './segments.ts';
import { list, type Statement, sql } from './statement.ts';

/** Whether `signup` is in the audience. `at`: when days ago are counted from. */
export function meetsAudience({ states, source, conditions }: Audience, at: number): Statement {
  const ofSource = source === null ? sql`` : sql`AND #unindexed signup.source = ${source}`;
  return sql`#unindexed signup.state IN (${list(states)}) ${ofSource} ${meetsConditions(conditions, at)}`;
}

export function meetsConditions(conditions: Segment | undefined, at: number): Statement {
  return conditions === undefined ? sql`` : sql`AND ${segmentCondition({ conditions, at })}`;
}

const QUEUED = sql`FROM @mails WHERE campaign_id = campaigns.id AND state = 'queued'`;
/** How many messages of `campaigns` are `queued`, and how many of those are `waiting` for a first attempt. */
export const QUEUED_COUNTS = sql`
  (SELECT count(*) ${QUEUED}) AS queued, (SELECT count(*) ${QUEUED} AND attempts = 0) AS waiting
`;
