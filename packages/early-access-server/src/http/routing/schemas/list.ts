import { MAX_LENGTH } from 'early-access-kit/internal';
import * as z from 'zod';
import {
  type Audience,
  CAMPAIGN_AUDIENCE,
  CAMPAIGN_EXAMPLES,
  CAMPAIGN_STATES,
  type Campaign,
  type CampaignContent,
  type DraftRevision,
  MAX_AFTER_DAYS,
  MAX_CAMPAIGN_BODY,
  MAX_CAMPAIGN_SUBJECT,
} from '../../../app/campaigns/campaign.ts';
import { MAX_STEP_DAYS } from '../../../app/campaigns/series.ts';
import { SERIES_STATES, type StepTiming } from '../../../app/campaigns/step-timing.ts';
import { INVITE_ORDERS, type InviteWave } from '../../../app/ports/list-store.ts';
import { count, createEnum, type Output, record, text, time, wholeNumber } from '../openapi/schema.ts';
import { ids, peopleByState, whom } from './people.ts';
import { segment } from './segments.ts';

/** The most people per wave, so that its transaction is short. */
const MAX_WAVE = 10_000;
const MAX_ID_LENGTH = 100;

export const inviteWave = record<InviteWave>()('InviteWave', {
  id: z.string(),
  created_at: time,
  people: count,
  sent: count,
  queued: count,
  failed: count,
  joined: count,
});

export const listOverview = z.object({
  counts: peopleByState,
  waves: z.array(inviteWave).describe('The newest first, at most 100.'),
  can_invite: z.boolean(),
  shares: z.boolean().describe('Whether people get share links.'),
});
export type ListResponse = Output<typeof listOverview>;

const afterError = 'must be the id of the newest wave, or null';
const after = z
  .string({ error: afterError })
  .max(MAX_ID_LENGTH, { error: afterError })
  .nullable()
  .optional()
  .describe(
    'The newest wave that you know of; null if there was none. Another one refuses the request. Left out: any. A program that may repeat the request then needs an `Idempotency-Key`.',
  );

const sizeError = `must be a whole number from 1 to ${MAX_WAVE}`;
/** The first `count` people by the filter, or exactly `ids`. */
export const newWave = z
  .object({
    after,
    ids: ids.optional(),
    count: wholeNumber(1, MAX_WAVE).optional().describe('Needed without `ids`.'),
    filter: whom,
    order: createEnum(INVITE_ORDERS)
      .default('date')
      .describe('Who is first with `count`: by `date` of signup, by `place`, or by `referrals`.'),
  })
  .transform(({ after, ids, count, order, filter }, context) => {
    if (ids !== undefined) return { after, ids };
    if (count !== undefined) return { after, count, order, filter };
    context.addIssue({ code: 'custom', path: ['count'], message: sizeError });
    return z.NEVER;
  });

export const withdrawn = z.object({ withdrawn: count });
export type WithdrawResponse = Output<typeof withdrawn>;

const statesError = `must list some of ${CAMPAIGN_AUDIENCE.join(', ')}, each once`;
export const audience = record<Audience>()(
  'Audience',
  {
    states: z
      .array(z.enum(CAMPAIGN_AUDIENCE, { error: statesError }), { error: statesError })
      .refine((states) => new Set(states).size === states.length, { error: statesError })
      .meta({ uniqueItems: true }),
    source: text(MAX_LENGTH.source).nullable().default(null).describe('The `source` of the form; null for any.'),
    conditions: segment
      .refine(({ states = [] }) => states.every((state) => CAMPAIGN_AUDIENCE.includes(state)), {
        path: ['states'],
        error: `may only list ${CAMPAIGN_AUDIENCE.join(', ')}: people in other states receive no campaigns`,
      })
      .exactOptional()
      .describe('A copy of a segment, which narrows the audience. Left out: everyone.'),
  },
  'must have states and source',
);

const MAX_REVISION_LENGTH = 100;
/** Firestore compares with at most 30 values, one of which is `revision`. */
const MAX_REPLACED = 29;

const contentFields = {
  subject: text(MAX_CAMPAIGN_SUBJECT).refine((subject) => !/\p{Cc}/u.test(subject), { error: 'must be one line' }),
  body: text(MAX_CAMPAIGN_BODY).describe('Markdown.'),
  audience,
};
/** A draft, which may be incomplete. */
export const campaignDraft = record<CampaignContent & Partial<DraftRevision>>()('CampaignDraft', {
  ...contentFields,
  revision: text(MAX_REVISION_LENGTH)
    .min(1, { error: 'must not be empty' })
    .exactOptional()
    .describe('Identifies the text: a random name for each, so that a request can be repeated. Left out: a new one.'),
  replaces: z
    .array(text(MAX_REVISION_LENGTH))
    .max(MAX_REPLACED)
    .exactOptional()
    .describe('The revisions that it may replace; any other is not overwritten. Left out: a change may replace any.'),
});

const timingError = 'must name either a state in after or an email in previous';
/** When a person gets an email of the series. */
const stepTiming = record<StepTiming>()(
  'StepTiming',
  {
    after: z
      .enum(SERIES_STATES)
      .nullable()
      .default(null)
      .describe('After they reach this state; null: after `previous`.'),
    previous: text(MAX_ID_LENGTH).nullable().default(null).describe('After this email of the series was sent to them.'),
    days: wholeNumber(1, MAX_STEP_DAYS),
  },
  'must have days, and after or previous',
);
export const newStep = stepTiming.refine(({ after, previous }) => (after === null) !== (previous === null), {
  error: timingError,
});

export const series = z.object({
  steps: z
    .array(
      z.object({
        id: z.string(),
        timing: z.string().describe('Such as `3 days after they sign up`.'),
        late: count.describe(
          'People who get it as soon as it runs. They wait because it is paused, or for their turn.',
        ),
        coming: count.describe('People who get it when their days have passed, if they are in its audience then.'),
      }),
    )
    .describe('Its emails, without those that were ended, in their order.'),
  start: z.array(z.string()).describe('What happens if all of them are turned on, in sentences. Empty: nothing.'),
});
export type SeriesResponse = Output<typeof series>;
export const seriesChange = z.object({ to: createEnum(['sending', 'paused']) });

export const campaign = record<Campaign>()('Campaign', {
  ...contentFields,
  id: z.string(),
  revision: z.string().describe('Identifies the text.'),
  state: z.enum(CAMPAIGN_STATES),
  created_at: time,
  started_at: time.nullable(),
  ended_at: time.nullable(),
  scheduled_at: time.nullable().describe('When it starts by itself. Null for a follow-up that waits.'),
  time_zone: z.string().nullable().describe('The time zone in which that time was chosen.'),
  follows: z.string().nullable().describe('The id of the campaign that it follows.'),
  after_days: z.int().nullable().describe('The days from the end of that one to its start.'),
  stopped_at: time
    .nullable()
    .describe('When complaints paused it. Null if they have not, or if it has been resumed or ended since.'),
  resumed_at: time.nullable().describe('When an admin last resumed it after that.'),
  series: stepTiming.nullable().describe('When each person gets it, if it is an email of the series after signing up.'),
  people: count.describe('People in the audience when it was started; of the series, people for whom it was queued.'),
  sent: count,
  failed: count,
  unknown: count,
  unsubscribed: count.describe('People who unsubscribed by a link in it.'),
  complained: count.describe('People who reported it as spam, as the mail provider reports.'),
  joined: count.describe('People who have joined since they got it.'),
});

export const campaignList = z.object({
  campaigns: z.array(campaign).describe('The newest first.'),
  can_send: z.boolean(),
  quota: z.object({
    per_hour: count.describe('The emails that all campaigns together may send in an hour.'),
    mails_per_hour: count.describe('The quota of all emails, of which campaigns leave a part to the others.'),
    spent_until: time.nullable().describe("When campaigns continue, if this hour's part of them is used up."),
    now: time.describe('The clock that the hours of the quota follow.'),
  }),
  paused_until: time
    .nullable()
    .describe('When the next email is tried, if the mail server’s refusals pause the queue.'),
});
export type CampaignsResponse = Output<typeof campaignList>;

/** The text that the admin has seen. */
const seen = text(MAX_REVISION_LENGTH).exactOptional().describe('Refuses to send any text other than this revision.');
export const campaignChange = z.object({ to: createEnum(['draft', 'sending', 'paused', 'cancelled']), revision: seen });

/** With an offset. */
const MAX_LOCAL_TIME_LENGTH = 22;
const MAX_ZONE_LENGTH = 64;
export const campaignTime = z.object({
  at: text(MAX_LOCAL_TIME_LENGTH)
    .nullable()
    .describe(
      'A local time such as `2026-12-01T09:00`, or with an offset, `2026-12-01T09:00+01:00`; null for a follow-up, which waits for its days.',
    ),
  zone: text(MAX_ZONE_LENGTH).default('UTC').describe('The IANA time zone of `at`.'),
  revision: seen,
});
export const scheduledTime = z.object({
  scheduled_at: time.nullable(),
  note: z.string().nullable().describe('A sentence if the clocks show the local time twice.'),
});
export type ScheduledTimeResponse = Output<typeof scheduledTime>;
export const followUpDays = z.object({ after_days: wholeNumber(1, MAX_AFTER_DAYS) });

export const campaignTest = z.object({ revision: seen });

const exampleMeaning = '`person`: someone in the audience. `empty`: someone who has entered nothing but the address.';
export const previewQuery = z.object({
  as: createEnum(['light', 'dark', 'text']).default('light'),
  for: createEnum(CAMPAIGN_EXAMPLES).default('person').describe(exampleMeaning),
});
export const campaignCheck = z.object({
  problem: z.string().nullable().describe('Why the email can be neither tested nor sent. Null: it can.'),
  examples: z
    .array(
      z.object({
        for: z.enum(CAMPAIGN_EXAMPLES).describe(exampleMeaning),
        email: z
          .string()
          .nullable()
          .describe('Null: nobody; the values of a person without anyone in the audience are made up.'),
        subject: z.string(),
      }),
    )
    .describe('The subject as people get it. Empty if there is a problem.'),
  warnings: z
    .array(z.string())
    .describe('What mail programs show differently: links that lead nowhere, pictures, an email that is cut off.'),
});
export type CampaignCheckResponse = Output<typeof campaignCheck>;
export const audienceSize = z.object({
  people: count,
  everyone: count.describe('Everyone who may receive campaigns.'),
  is_partial: z.boolean().describe('Whether only the newest people were looked at, so that there may be more.'),
});
export type AudienceSizeResponse = Output<typeof audienceSize>;
