/** What an aggregation query is billed: a document read for each 1,000 index entries that it goes through, at least one. */
const ENTRIES_PER_READ = 1_000;

/** Numbers of documents in the window of a summary, and of all signups. */
export interface SummaryScale {
  readonly sessions: number;
  /** Of the sessions, those with a single page view. */
  readonly bounces: number;
  /** Of the sessions, those without a duration. */
  readonly untimed: number;
  readonly visitors: number;
  readonly signups: number;
}

/** Document reads that one summary is billed, at any scale; a test compares it with what the queries count. */
export function billedReads({ sessions, bounces, untimed, visitors, signups }: SummaryScale): number {
  return [sessions, bounces, untimed, visitors, signups]
    .map((entries) => Math.max(1, Math.ceil(entries / ENTRIES_PER_READ)))
    .reduce((sum, reads) => sum + reads);
}
