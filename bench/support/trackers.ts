/** A tracker with its transport, as used in a page. */
export interface Tracker {
  readonly name: string;
  /** The name of its file in `pages`. */
  readonly page: string;
}

export const OURS: Tracker = { name: 'early-access-kit, http', page: 'tracker' };

export const OURS_ON_FIRESTORE: Tracker = { name: 'early-access-kit, firestore', page: 'tracker-on-firestore' };

export const PLAUSIBLE: Tracker = { name: '@plausible-analytics/tracker', page: 'plausible' };

export const UMAMI: Tracker = { name: 'umami', page: 'umami' };
