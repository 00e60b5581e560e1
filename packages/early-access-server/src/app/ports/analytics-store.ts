import type { Analytics, AnalyticsQuery, Tallies } from '../analytics/analytics.ts';

/** The part of a store that the dashboard's figures come from. */
export interface AnalyticsStore {
  /**
   * Equals `computeAnalytics` over everything that was stored and not erased, without reading every session. Of
   * sessions that were pruned only sums are left: a time among them counts as the nearest hour UTC, or with a filter
   * and in breakdowns as the nearest day UTC, and a visitor who comes back after all their sessions were pruned is a
   * new one.
   */
  read(query: AnalyticsQuery): Promise<Analytics>;
  /** Adds to what was counted in this hour. */
  addTallies(tallies: Tallies): Promise<void>;
  /** How much of the older data is counted, from 0 to 1; 1 when the figures are complete. */
  progress(): Promise<number>;
  /** Why counting in the background fails, since its last success; null while it works. */
  failure(): Promise<CountingFailure | null>;
}

export interface CountingFailure {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly reason: string;
}
