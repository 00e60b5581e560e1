import { DAY_MS } from 'early-access-kit/internal';
import type { CampaignsResponse } from 'early-access-server/admin-api';
import { findSendingEnd } from 'early-access-server/admin-pages';
import { formatCount, formatDateTime, formatNumber } from '../format/format.ts';
import { THEN_RESTART } from '../ui/setting-texts.ts';
import { Notice } from '../ui/states.tsx';

export interface SendingTimeProps {
  /** Unsent messages of all running campaigns. */
  readonly messages: number;
  readonly quota: CampaignsResponse['quota'];
  /** When the next delivery is attempted, if rejections by the mail server have paused the queue. */
  readonly pausedUntil: CampaignsResponse['paused_until'];
  readonly zone: string;
}

/** Returns a text such as `at 160 an hour until 21 Dec 2026, 14:00 (MAILS_PER_HOUR is 200)`. */
export function sendingTimeText({ messages, quota, zone }: Omit<SendingTimeProps, 'pausedUntil'>): string {
  const end = findSendingEnd(messages, quota.per_hour, quota.now);
  if (end === null) return 'never: MAILS_PER_HOUR leaves nothing for campaigns';
  if (messages <= quota.per_hour) return 'within an hour';
  const setting = `MAILS_PER_HOUR is ${formatNumber(quota.mails_per_hour)}`;
  return `at ${formatNumber(quota.per_hour)} an hour until ${formatDateTime(end, zone)} (${setting})`;
}

/** Warns if sending takes more than a day, and names the setting to change. */
export function SlowSending({ messages, quota }: Pick<SendingTimeProps, 'messages' | 'quota'>) {
  const end = findSendingEnd(messages, quota.per_hour, quota.now);
  if (end !== null && end - quota.now <= DAY_MS) return null;
  const duration = end === null ? null : formatCount(Math.ceil((end - quota.now) / DAY_MS), 'day', 'days');
  return (
    <Notice look="warning">
      {duration === null ? 'It will never be sent.' : `Sending takes about ${duration}.`} Raise MAILS_PER_HOUR if your
      mail server allows more. {THEN_RESTART} A fifth of the quota is reserved for other emails.
    </Notice>
  );
}
