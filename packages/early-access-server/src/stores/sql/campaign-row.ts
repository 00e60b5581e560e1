import { CAMPAIGN_REACTIONS, CAMPAIGN_STATES, type Campaign, campaignRoom } from '../../app/list/campaign.ts';
import { readSegment } from '../../app/list/segment.ts';
import { PERSON_STATES } from '../../app/list/states.ts';
import { integer, integerOrNull, integers, type Row, readChoice, text, textOrNull, texts } from './row.ts';

/** The campaign in a row of `campaigns`. */
export function toCampaign(row: Row): Campaign {
  const states: readonly unknown[] = JSON.parse(text(row, 'states'));
  const conditions = textOrNull(row, 'conditions');
  return {
    id: String(integer(row, 'id')),
    ...texts(row, ['revision', 'subject', 'body']),
    ...integers(row, ['created_at', 'people', 'sent', 'failed', 'unknown', ...CAMPAIGN_REACTIONS]),
    audience: {
      states: PERSON_STATES.filter((state) => states.includes(state)),
      source: textOrNull(row, 'source'),
      ...(conditions !== null && { conditions: readSegment(JSON.parse(conditions)) }),
    },
    state: readChoice(row, 'state', CAMPAIGN_STATES),
    started_at: integerOrNull(row, 'started_at'),
    ended_at: integerOrNull(row, 'ended_at'),
    scheduled_at: integerOrNull(row, 'scheduled_at'),
    time_zone: textOrNull(row, 'time_zone'),
    follows: row.follows === null ? null : String(integer(row, 'follows')),
    after_days: integerOrNull(row, 'after_days'),
  };
}

/**
 * The next step of a campaign that is being sent: queue this number of messages, end it, or wait. The row has also the numbers of its
 * messages that are `queued`, and of the messages `waiting` for their first attempt.
 */
export function nextStep(row: Row): number | 'end' | 'wait' {
  if (integer(row, 'position') >= integer(row, 'last_id')) return integer(row, 'pending') === 0 ? 'end' : 'wait';
  return campaignRoom({ queued: integer(row, 'queued'), waiting: integer(row, 'waiting') }) || 'wait';
}
