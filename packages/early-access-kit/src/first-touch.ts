import { campaignOf } from './core/attribution.ts';
import type { Campaign } from './core/records.ts';

let campaign: Campaign | undefined;

/**
 * Returns the campaign of this document. It is read on the first call, before a single-page host changes the URL, and never changes
 * after that, even if widgets are remounted. It is held in memory only, so it needs no consent.
 */
export function firstTouch(): Campaign {
  // There is no `location` during server rendering.
  campaign ??= campaignOf(globalThis.location?.search);
  return campaign;
}
