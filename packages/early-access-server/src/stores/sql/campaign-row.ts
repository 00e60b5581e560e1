import { CAMPAIGN_REACTIONS, CAMPAIGN_STATES, type Campaign, campaignRoom } from '../../app/campaigns/campaign.ts';
import type { SeriesStep } from '../../app/campaigns/series.ts';
import { SERIES_STATES, type StepTiming } from '../../app/campaigns/step-timing.ts';
import { PERSON_STATES } from '../../app/lifecycle/states.ts';
import { readSegment } from '../../app/people/segment.ts';
import { integer, integerOrNull, integers, type Row, readChoice, text, textOrNull, texts } from './row.ts';

export function toCampaign(row: Row): Campaign {
  const states: readonly unknown[] = JSON.parse(text(row, 'states'));
  const conditions = textOrNull(row, 'conditions');
  return {
    id: String(integer(row, 'id')),
    ...texts(row, ['revision', 'subject', 'body']),
    ...integers(row, ['created_at', 'sent', 'failed', 'unknown', ...CAMPAIGN_REACTIONS]),
    people: row.series_days === null ? integer(row, 'people') : countMessages(row),
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
    stopped_at: integerOrNull(row, 'stopped_at'),
    resumed_at: integerOrNull(row, 'resumed_at'),
    series: toTiming(row),
  };
}

/** The counts are maintained by triggers. */
function countMessages(row: Row): number {
  const { pending, sent, failed, unknown } = integers(row, ['pending', 'sent', 'failed', 'unknown']);
  return pending + sent + failed + unknown;
}

/** When a person gets an email of the series, or null for other campaigns. */
function toTiming(row: Row): StepTiming | null {
  const days = integerOrNull(row, 'series_days');
  if (days === null) return null;
  return {
    after: row.series_after === null ? null : readChoice(row, 'series_after', SERIES_STATES),
    previous: row.series_previous === null ? null : String(integer(row, 'series_previous')),
    days,
  };
}

/** An email of the series and its progress. Throws if the campaign does not belong to the series. */
export function toStep(row: Row): SeriesStep<number> {
  const timing = toTiming(row);
  if (timing === null) throw new TypeError('a campaign is no email of the series');
  const at = integerOrNull(row, 'reached_at');
  return {
    id: String(integer(row, 'id')),
    state: readChoice(row, 'state', CAMPAIGN_STATES),
    timing,
    reached: at === null ? null : { at, id: integerOrNull(row, 'reached_id') },
  };
}

/**
 * The next step of a campaign that is being sent: queue this number of messages, end it, or wait. The row also contains
 * the number of its `queued` messages, and of those `waiting` for their first attempt.
 */
export function nextStep(row: Row): number | 'end' | 'wait' {
  if (integer(row, 'position') >= integer(row, 'last_id')) return integer(row, 'pending') === 0 ? 'end' : 'wait';
  return campaignRoom({ queued: integer(row, 'queued'), waiting: integer(row, 'waiting') }) || 'wait';
}
