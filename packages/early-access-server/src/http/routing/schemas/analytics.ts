import * as z from 'zod';
import {
  type AnalyticsFilter,
  type BreakdownRow,
  type Bucket,
  COMPARISONS,
  DIMENSIONS,
  type Dimension,
  type PageRow,
  type PeriodFigures,
  RANGES,
  type Tally,
} from '../../../app/analytics/analytics.ts';
import { count, createEnum, dayParam, type Output, record, text, time } from '../openapi/schema.ts';

const MAX_VALUE_LENGTH = 1_024;
const LONGEST_NAME = Math.max(...DIMENSIONS.map((name) => name.length));
const filterError = `must look like browser:Firefox, once for each of ${DIMENSIONS.join(', ')}`;

/** `browser:Firefox`, once per dimension. The value may be empty, and is not trimmed. */
const filters = z
  .preprocess(
    (given) => (typeof given === 'string' ? [given] : given),
    z
      .array(
        z
          .string({ error: filterError })
          .max(LONGEST_NAME + 1 + MAX_VALUE_LENGTH, { error: filterError })
          .regex(new RegExp(`^(${DIMENSIONS.join('|')}):`), { error: filterError }),
        { error: filterError },
      )
      .max(DIMENSIONS.length, { error: filterError }),
  )
  .transform((given, context): AnalyticsFilter => {
    const pairs = given.map((text) => [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)] as const);
    const isValid = pairs.every(([, value]) => value.length <= MAX_VALUE_LENGTH);
    if (!isValid || new Set(pairs.map(([name]) => name)).size < pairs.length) {
      context.addIssue({ code: 'custom', message: filterError });
    }
    return Object.fromEntries(pairs);
  });

export const dashboardQuery = z.object({
  range: createEnum(RANGES).default('30d'),
  from: dayParam().describe('The first day of a custom range.').optional(),
  to: dayParam().describe('The last day of a custom range.').optional(),
  compare: createEnum(COMPARISONS)
    .describe('Compares with the period before, or with the same days of the year before.')
    .default('period'),
  zone: text(64).describe('An IANA time zone such as `Europe/Berlin`. UTC by default.').optional(),
  filter: filters
    .describe('Counts only sessions and signups with this value, such as `browser:Firefox`. Once for each dimension.')
    .optional(),
});

const sums = {
  sessions: count,
  bounces: count.describe('Sessions with a single page view.'),
  duration: count.describe('Visible seconds of all sessions.'),
  timed_sessions: count.describe('Sessions with a positive duration.'),
  engaged_sessions: count,
  visitors: count.describe('Distinct visitors. With a filter they count once a UTC day.'),
  signups: count,
};
const figures = record<PeriodFigures>()('PeriodFigures', sums);

const rows = z.array(
  record<BreakdownRow>()('BreakdownRow', {
    value: z.string().describe('Empty for none or unknown.'),
    visitors: count,
    signups: count,
    joined: count.describe('Of these signups, how many have joined so far. On Firestore it is up to an hour old.'),
  }),
);
const breakdowns = z.object({
  referrer_host: rows,
  utm_source: rows,
  utm_medium: rows,
  utm_campaign: rows,
  landing_path: rows,
  device_type: rows,
  browser: rows,
  os: rows,
  visitor_type: rows,
  country: rows.describe('Two letters of ISO 3166.'),
} satisfies Record<Dimension, typeof rows>);

const tallies = z.object({
  robots: count.describe('Bot sessions.'),
  human_missing: count.describe('Signups without a token of the human check.'),
  human_refused: count.describe('Signups whose token the human check refused.'),
  human_replayed: count.describe('Signups whose token was used before.'),
  human_unreachable: count.describe('Signups whose token could not be checked.'),
  imported: count.describe('People whom imports added. They are not signups.'),
} satisfies Record<Tally, typeof count>);

export const dashboard = z
  .object({
    range: z.enum(RANGES),
    compare: z.enum(COMPARISONS),
    zone: z.string(),
    start: time,
    end: time,
    bucket: z.enum(['hour', 'day', 'week', 'month']),
    progress: z.number().min(0).max(1).describe('How much of the older data is counted.'),
    failure: z
      .object({ since: time, reason: z.string() })
      .nullable()
      .describe('Why counting in the background fails, and since when. Null while it works.'),
    figures,
    previous: figures
      .nullable()
      .describe(
        'The same figures of the compared period; null for `all`. If the period is not over, the same part of the compared one.',
      ),
    compared: z.object({ start: time, end: time }).nullable().describe('The period of `previous`.'),
    buckets: z.array(record<Bucket>()('Bucket', { start: time, ...sums })),
    breakdowns: breakdowns.describe('By dimension, at most 100 rows each; the rest is added up as `(other)`.'),
    pages: z
      .array(record<PageRow>()('PageRow', { value: z.string().describe('The path. Empty for unknown.'), views: count }))
      .describe(
        'The most viewed pages, at most 100; the rest is added up as `(other)`. Up to 100 views of a session count, on Firestore up to 10.',
      ),
    active_visitors: count.describe('Distinct visitors of the last five minutes.'),
    first: time.nullable().describe('The start of the hour of the first session or signup.'),
    tallies: tallies
      .nullable()
      .describe('Counted in the period and left out of all else. Null if the store cannot know.'),
  })
  .meta({ id: 'Dashboard' });
export type DashboardResponse = Output<typeof dashboard>;
