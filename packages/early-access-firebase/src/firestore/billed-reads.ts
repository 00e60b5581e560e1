/** An aggregation query is billed as a document read for each 1,000 index entries that it scans, and at least one. */
const ENTRIES_PER_READ = 1_000;

/** Numbers of documents in the window of a summary, and of all signups. */
export interface SummaryScale {
  readonly sessions: number;
  /** Sessions with a single page view. */
  readonly bounces: number;
  /** Sessions without a duration. */
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

/** The most documents outside the archive, which may still change, that one view of the dashboard reads. */
export const LIVE_READS = {
  /** The newest sessions. */
  sessions: 150,
  /** Sessions since the last roll-up, if there are more of them. */
  moreSessions: 100,
  /** The newest signups; as many sessions are read that belong to them. */
  signups: 40,
  /** Sessions whose page was left within the last five minutes. */
  left: 50,
};
export type LiveReads = typeof LIVE_READS;

/** The state of the archive, the tallies, and the first session and signup. */
const FIXED_READS = 4;
/** Archived rows of the last two days are in a document for each hour. */
const RECENT_HOURS = 50;
/** A full document of the archive has at least this number of rows if its dimensions have few values. */
const ROWS_PER_DOCUMENT = 40_000;

/** The most document reads that one view of the dashboard is billed. `rows`: the sessions and signups of its periods. */
export function dashboardReads(rows: number): number {
  const { sessions, moreSessions, signups, left } = LIVE_READS;
  const live = sessions + moreSessions + 2 * signups + left;
  // Sessions and signups are in different documents, of which the last ones may be nearly empty.
  return FIXED_READS + live + RECENT_HOURS + 2 + Math.ceil(rows / ROWS_PER_DOCUMENT);
}
