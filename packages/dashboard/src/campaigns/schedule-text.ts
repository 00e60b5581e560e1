import { MINUTE_MS } from 'early-access-kit/internal';
import type { Campaign } from 'early-access-server/admin-api';
import { findStart } from 'early-access-server/admin-pages';
import { formatCount, formatDateTime, formatDuration } from '../format/format.ts';

/**
 * The text after the state's name: `for 1 Dec 2026, 09:00 (Europe/Berlin)`, or when the campaign was written or
 * started, and how late it started.
 */
export function describeTime(campaign: Campaign, campaigns: readonly Campaign[], zone: string): string {
  const { state, created_at, scheduled_at, started_at } = campaign;
  if (state === 'scheduled') return `for ${describeStart(campaign, campaigns, zone)}`;
  if (started_at === null) return `Written ${formatDateTime(created_at, zone)}`;
  const late = scheduled_at === null ? 0 : started_at - scheduled_at;
  const delay = late < MINUTE_MS ? '' : `, ${formatDuration(late / 1_000)} late`;
  return `Started ${formatDateTime(started_at, zone)}${delay}`;
}

function describeStart(campaign: Campaign, campaigns: readonly Campaign[], zone: string): string {
  const start = findStart(campaign, campaigns);
  if (start === null) return `${describeDays(campaign)} after “${findFirst(campaign, campaigns)?.subject}” was sent`;
  const inZone = campaign.time_zone ?? zone;
  return `${formatDateTime(start, inZone)} (${inZone})`;
}

/**
 * `people who got “We launch”, were invited, and have not joined 7 days later`. Null unless the campaign is a
 * follow-up.
 */
export function findRecipients(campaign: Campaign, campaigns: readonly Campaign[]): string | null {
  const first = findFirst(campaign, campaigns);
  if (first === undefined) return null;
  return `people who got “${first.subject}”, were invited, and have not joined ${describeDays(campaign)} later`;
}

function findFirst({ follows }: Campaign, campaigns: readonly Campaign[]): Campaign | undefined {
  return campaigns.find(({ id }) => id === follows);
}

function describeDays({ after_days }: Campaign): string {
  return formatCount(after_days ?? 0, 'day', 'days');
}
