import { DAY_MS } from 'early-access-kit/internal';

/** Emails to people, and how many of them their recipients reported as spam. */
export interface ComplaintCounts {
  /** They were sent after this time, in epoch milliseconds. */
  readonly since: number;
  readonly emails: number;
  readonly complaints: number;
}

/** Most complaints about a campaign arrive within a week, and a mistake that was put right counts no longer. */
const WINDOW_MS = 7 * DAY_MS;

/** Complaints per thousand emails. Gmail asks bulk senders to stay below the first, and never to reach the second. */
const HIGH = 1;
const TOO_HIGH = 3;
/** The rate above which campaigns pause, as a share. */
export const MAX_COMPLAINT_RATE = TOO_HIGH / 1_000;
/**
 * Fewer emails count as this many, so it takes two complaints to warn and four to pause. At the rate that Gmail accepts,
 * chance brings four among a thousand emails once in fifty weeks, but one among ten is no rate at all.
 */
const FEWEST_EMAILS = 1_000;

/** `high`: the admin is warned. `too-high`: campaigns pause. */
export const COMPLAINT_LEVELS = ['fine', 'high', 'too-high'] as const;
export type ComplaintLevel = (typeof COMPLAINT_LEVELS)[number];

export function judgeComplaints({
  emails,
  complaints,
}: Pick<ComplaintCounts, 'emails' | 'complaints'>): ComplaintLevel {
  const thousands = Math.max(emails, FEWEST_EMAILS) / 1_000;
  if (complaints > TOO_HIGH * thousands) return 'too-high';
  return complaints > HIGH * thousands ? 'high' : 'fine';
}

/** Since when emails count. `resumedAt`: when an admin last resumed campaigns that complaints had paused. */
export function countComplaintsFrom(now: number, resumedAt: number | null): number {
  return Math.max(now - WINDOW_MS, resumedAt ?? 0);
}
