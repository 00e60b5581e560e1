import type { Analytics, AnalyticsQuery, Tallies } from '../analytics/analytics.ts';

/** The part of a store for the dashboard's figures. */
export interface AnalyticsStore {
  /**
   * Returns the same as `computeAnalytics` over everything stored and not erased, without reading every session. Pruned
   * sessions only remain as totals: a period boundary among them counts as the nearest full hour UTC (in breakdowns and
   * with a filter, the nearest day UTC), the bars of a filter count visitors by day, as the period does, and a visitor
   * who returns after all their sessions were pruned counts as new.
   */
  read(query: AnalyticsQuery): Promise<Analytics>;
  /** Adds to the tallies of the current hour. */
  addTallies(tallies: Tallies): Promise<void>;
  /** The share of older data that has been counted, from 0 to 1. At 1 the figures are complete. */
  progress(): Promise<number>;
  /** Why counting in the background has failed since its last success; null if it works. */
  failure(): Promise<CountingFailure | null>;
}

export interface CountingFailure {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly reason: string;
}
