import type { Audience } from '../../app/campaigns/campaign.ts';
import type { Segment } from '../../app/people/segment.ts';
import { segmentCondition } from './segments.ts';
import { list, type Statement, sql } from './statement.ts';

/** Whether `signup` belongs to the audience. `at`: the time from which days are counted back. */
export function meetsAudience({ states, source, conditions }: Audience, at: number): Statement {
  const ofSource = source === null ? sql`` : sql`AND #unindexed signup.source = ${source}`;
  return sql`#unindexed signup.state IN (${list(states)}) ${ofSource} ${meetsConditions(conditions, at)}`;
}

export function meetsConditions(conditions: Segment | undefined, at: number): Statement {
  return conditions === undefined ? sql`` : sql`AND ${segmentCondition({ conditions, at })}`;
}

const QUEUED = sql`FROM @mails WHERE campaign_id = campaigns.id AND state = 'queued'`;
/** Counts the `queued` messages of `campaigns`, and those of them that are `waiting` for their first attempt. */
export const QUEUED_COUNTS = sql`
  (SELECT count(*) ${QUEUED}) AS queued, (SELECT count(*) ${QUEUED} AND attempts = 0) AS waiting
`;
