import { DAY_MS } from 'early-access-kit/internal';

/** The number of emails sent, and how many of them were reported as spam. */
export interface ComplaintCounts {
  /** Start of the period in which they were sent, in epoch milliseconds. */
  readonly since: number;
  readonly emails: number;
  readonly complaints: number;
}

/** Most complaints arrive within a week of a campaign. After that, a corrected mistake no longer counts. */
const WINDOW_MS = 7 * DAY_MS;

/** Complaints per thousand emails. Gmail asks bulk senders to stay below the first and never to reach the second. */
const HIGH = 1;
const TOO_HIGH = 3;
/** Above this rate (a fraction of 1), campaigns are paused. */
export const MAX_COMPLAINT_RATE = TOO_HIGH / 1_000;
/**
 * The rate is computed for at least this many emails, so a warning takes two complaints and a pause four. At the rate
 * that Gmail accepts, four complaints in a thousand emails happen by chance about once in fifty weeks, while one in ten
 * emails proves nothing.
 */
const FEWEST_EMAILS = 1_000;

/** `high`: the admin is warned. `too-high`: campaigns are paused. */
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

/** Returns the start of the counted period. `resumedAt`: when an admin last resumed campaigns paused by complaints. */
export function countComplaintsFrom(now: number, resumedAt: number | null): number {
  return Math.max(now - WINDOW_MS, resumedAt ?? 0);
}
