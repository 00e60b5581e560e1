import { billedReads, type SummaryScale } from './billed-reads.ts';

/** The most one instance reads for an overlay that is open all month: it caches each summary for a minute. */
const SUMMARIES_PER_MONTH = 30 * 24 * 60;

/** A month with this many sessions, in the proportions of a landing page: half bounce, one in ten has no duration. */
export function simulatedMonth(sessions: number): SummaryScale {
  return {
    sessions,
    bounces: Math.round(sessions / 2),
    untimed: Math.round(sessions / 10),
    visitors: Math.round(sessions * 0.7),
    signups: Math.round(sessions / 50),
  };
}

/** Describes the billed reads of the summaries in such a month, for the documentation. */
export function describeMonth(sessions: number): string {
  const scale = simulatedMonth(sessions);
  const reads = billedReads(scale);
  const number = (value: number) => value.toLocaleString('en');
  return [
    `A month with ${number(sessions)} sessions of ${number(scale.visitors)} visitors, and ${number(scale.signups)} sign-ups:`,
    `  one summary        ${number(reads)} billed reads, of index entries alone`,
    `  one every minute   ${number(reads * SUMMARIES_PER_MONTH)} billed reads a month, for each instance that is asked`,
    `  reading sessions   ${number(sessions)} billed reads for one summary, had they been read`,
    '',
  ].join('\n');
}

if (import.meta.main) process.stdout.write(describeMonth(Number(process.argv[2] ?? 1_000_000)));
