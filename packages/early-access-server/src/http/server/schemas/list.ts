import { MAX_LENGTH } from 'early-access-kit/core';
import * as z from 'zod';
import {
  type Audience,
  CAMPAIGN_AUDIENCE,
  CAMPAIGN_STATES,
  type Campaign,
  type CampaignContent,
  MAX_CAMPAIGN_BODY,
  MAX_CAMPAIGN_SUBJECT,
} from '../../../app/list/campaign.ts';
import type { InviteWave } from '../../../app/ports/list-store.ts';
import { count, createEnum, type Output, record, text, time, wholeNumber } from '../openapi/schema.ts';
import { ids } from './people.ts';

/** The most people of one wave, so that its transaction is short. */
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
  counts: z.object({
    pending: count,
    subscribed: count,
    invited: count,
    joined: count,
    unsubscribed: count,
    bounced: count,
  }),
  waves: z.array(inviteWave).describe('The newest first, at most 100.'),
  can_invite: z.boolean(),
});
export type ListResponse = Output<typeof listOverview>;

const afterError = 'must be the id of the newest wave, or null';
const after = z
  .string({ error: afterError })
  .max(MAX_ID_LENGTH, { error: afterError })
  .nullable()
  .describe('The newest wave that you know of; null if there was none. Another one refuses the request.');

const sizeError = `must be a whole number from 1 to ${MAX_WAVE}`;
/** The first `count` people by the filter in the query, or exactly `ids`. */
export const newWave = z
  .object({ after, ids: ids.optional(), count: wholeNumber(1, MAX_WAVE).optional().describe('Needed without `ids`.') })
  .transform(({ after, ids, count }, context) => {
    if (ids !== undefined) return { after, ids };
    if (count !== undefined) return { after, count };
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
  },
  'must have states and source',
);

const contentFields = {
  subject: text(MAX_CAMPAIGN_SUBJECT).refine((subject) => !/\p{Cc}/u.test(subject), { error: 'must be one line' }),
  body: text(MAX_CAMPAIGN_BODY).describe('Markdown.'),
  audience,
};
/** A draft, which may be incomplete. */
export const campaignContent = record<CampaignContent>()('CampaignContent', contentFields);

export const campaign = record<Campaign>()('Campaign', {
  ...contentFields,
  id: z.string(),
  state: z.enum(CAMPAIGN_STATES),
  created_at: time,
  started_at: time.nullable(),
  people: count.describe('People in the audience when it was started.'),
  sent: count,
  failed: count,
  unknown: count,
});

export const campaignList = z.object({
  campaigns: z.array(campaign).describe('The newest first.'),
  can_send: z.boolean(),
});
export type CampaignsResponse = Output<typeof campaignList>;

export const campaignChange = z.object({ to: createEnum(['sending', 'paused', 'cancelled']) });
export const previewQuery = z.object({ as: createEnum(['light', 'dark', 'text']).default('light') });
export const peopleCount = z.object({ people: count });
