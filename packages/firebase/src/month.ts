import { billedReads, type SummaryScale } from 'early-access-server/firestore';

/** An overlay that is open all month asks once a minute at most: an instance answers from memory until then. */
const SUMMARIES_PER_MONTH = 30 * 24 * 60;

/** A month of so many sessions in the proportions of a landing page: half of them bounce, one in ten is never looked at. */
export function simulatedMonth(sessions: number): SummaryScale {
  return {
    sessions,
    bounces: Math.round(sessions / 2),
    untimed: Math.round(sessions / 10),
    visitors: Math.round(sessions * 0.7),
    signups: Math.round(sessions / 50),
  };
}

/** What the summaries of such a month are billed, for the documentation. */
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
