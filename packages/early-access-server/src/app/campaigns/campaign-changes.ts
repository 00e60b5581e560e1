import type { Store } from '../ports/store.ts';
import { type Audience, CAMPAIGN_AUDIENCE, type Campaign, type CampaignState, mayEdit } from './campaign.ts';

/** Another editor has stored a text in between. */
export const DRAFT_CHANGED = 'this draft was changed in another tab or by another admin; nothing was overwritten';

/** Why a campaign can be neither changed nor deleted. If its text can be changed, another one is stored. */
export function whyNotEdited(campaign: Pick<Campaign, 'state' | 'series'>, done: 'changed' | 'deleted'): string {
  const { state, series } = campaign;
  if (state === 'draft' && series !== null && done === 'deleted')
    return 'another email of the series comes after it; change that one first';
  if (mayEdit(campaign) && done === 'changed') return DRAFT_CHANGED;
  if (state === 'sending' && series !== null && done === 'changed')
    return 'pause this email of the series to change it';
  if (state === 'scheduled') return 'this email is scheduled; unschedule it to change or delete it';
  return `this email has been started, so it can no longer be ${done}`;
}

/**
 * Why the state of a campaign, which is now `state`, did not become `to`. Null: it did, by another click, tab or admin.
 */
export function whyNotBecome(state: CampaignState, to: CampaignState): string | null {
  if (state === to) return null;
  if (state === 'draft' && to === 'sending') return DRAFT_CHANGED;
  return 'this email has changed since you opened it; check it again';
}

/** Why a campaign was not scheduled. */
export function whyNotScheduled({ state, series }: Pick<Campaign, 'state' | 'series'>): string {
  if (series !== null) return 'an email of the series is turned on, and starts at no time';
  return state === 'draft' ? DRAFT_CHANGED : 'this email is scheduled or started already';
}

/** Why this email cannot start when the admin says: a follow-up waits for its days. Null: it can. */
export function whyNotStartable({ follows, state }: Pick<Campaign, 'follows' | 'state'>): string | null {
  return follows !== null && state === 'draft' ? 'a follow-up waits for its days, so it is scheduled' : null;
}

/**
 * Why an email cannot be scheduled for this local time. Null: it can. A follow-up starts after its days, and any other
 * at a time.
 */
export function whyWrongTime({ follows }: Pick<Campaign, 'follows'>, at: string | null): string | null {
  if (at === null && follows === null) return 'at must be a local time';
  return at !== null && follows !== null ? 'at must be null for a follow-up' : null;
}

/** The people among whom an audience with conditions is counted, until it is started. */
const MAX_COUNTED = 200_000;

/** Counts among the newest people, so that an admin who changes conditions slows nobody down. */
export async function countAudience({ campaigns, list }: Pick<Store, 'campaigns' | 'list'>, audience: Audience) {
  const [{ count, is_partial }, counts] = await Promise.all([
    campaigns.audienceSize(audience, MAX_COUNTED),
    list.counts(),
  ]);
  const everyone = CAMPAIGN_AUDIENCE.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  return { people: count, everyone, is_partial };
}
