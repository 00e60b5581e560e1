import { campaignOf } from './core/attribution.ts';
import type { Campaign } from './core/records.ts';

let campaign: Campaign | undefined;

/**
 * The campaign that led to this document: read when it is first asked for, before a single-page host changes the address, and
 * the same from then on, whatever is mounted again. Kept in memory alone, so that there is nothing to ask the visitor's consent for.
 */
export function firstTouch(): Campaign {
  // Where pages are rendered on a server there is no address.
  campaign ??= campaignOf(globalThis.location?.search);
  return campaign;
}
