import type { Store } from '../ports/store.ts';
import { type Audience, CAMPAIGN_AUDIENCE, type Campaign, type CampaignState, mayEdit } from './campaign.ts';

/** Another editor has saved a text in the meantime. */
export const DRAFT_CHANGED = 'this draft was changed in another tab or by another admin; nothing was overwritten';

/** Explains why a campaign cannot be changed or deleted. If its text is editable, another text is stored. */
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
 * Explains why a campaign's state, which is now `state`, did not change to `to`. Null: another click, tab or admin made
 * the same change.
 */
export function whyNotBecome(state: CampaignState, to: CampaignState): string | null {
  if (state === to) return null;
  if (state === 'draft' && to === 'sending') return DRAFT_CHANGED;
  return 'this email has changed since you opened it; check it again';
}

export function whyNotScheduled({ state, series }: Pick<Campaign, 'state' | 'series'>): string {
  if (series !== null) return 'an email of the series is turned on, not scheduled';
  return state === 'draft' ? DRAFT_CHANGED : 'this email is scheduled or started already';
}

/** Explains why an admin cannot start this email: a follow-up waits for its delay. Null: it can be started. */
export function whyNotStartable({ follows, state }: Pick<Campaign, 'follows' | 'state'>): string | null {
  return follows !== null && state === 'draft' ? 'a follow-up is scheduled by its days' : null;
}

/**
 * Explains why an email cannot be scheduled for this local time, or null. A follow-up has a delay instead of a time.
 */
export function whyWrongTime({ follows }: Pick<Campaign, 'follows'>, at: string | null): string | null {
  if (at === null && follows === null) return 'at must be a local time';
  return at !== null && follows !== null ? 'at must be null for a follow-up' : null;
}

/** Until a campaign starts, an audience with conditions is counted among this number of people. */
const MAX_COUNTED = 200_000;

/** Counts the newest people only, so that admins who edit conditions do not slow down the server. */
export async function countAudience({ campaigns, list }: Pick<Store, 'campaigns' | 'list'>, audience: Audience) {
  const [{ count, is_partial }, counts] = await Promise.all([
    campaigns.audienceSize(audience, MAX_COUNTED),
    list.counts(),
  ]);
  const everyone = CAMPAIGN_AUDIENCE.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
  return { people: count, everyone, is_partial };
}
