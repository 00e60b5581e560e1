import type { Analytics, AnalyticsQuery, Tallies } from '../analytics/analytics.ts';

/** The part of a store that the dashboard's figures come from. */
export interface AnalyticsStore {
  /** Equals `computeAnalytics` over everything stored, without reading every session. */
  read(query: AnalyticsQuery): Promise<Analytics>;
  /** Adds to what was counted in this hour. */
  addTallies(tallies: Tallies): Promise<void>;
  /** How much of the older data is counted, from 0 to 1; 1 when the figures are complete. */
  progress(): Promise<number>;
}
