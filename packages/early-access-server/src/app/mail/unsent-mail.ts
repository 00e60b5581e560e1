import type { MailState } from './message-state.ts';

/** A message of the mail queue that is not sent, as the admin sees it. Times are epoch milliseconds. */
export interface UnsentMail {
  readonly email: string;
  readonly state: MailState;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  /** Why it is not sent, if that is known. */
  readonly reason: string | null;
}

/**
 * One line of what the `mail` command prints, with its line end. `quotaSpentUntil` is when the next hour's mail quota starts if this
 * hour's is spent: a queued message is not tried before.
 */
export function mailLine(mail: UnsentMail, quotaSpentUntil: number | null): string {
  const { email, state, attempts, nextAttemptAt, reason } = mail;
  const isQueued = state === 'queued';
  const waitsForQuota = isQueued && quotaSpentUntil !== null && nextAttemptAt < quotaSpentUntil;
  const next = new Date(waitsForQuota ? quotaSpentUntil : nextAttemptAt).toISOString();
  const details = [
    `attempts ${attempts}`,
    ...(isQueued ? [`next ${next}`] : []),
    ...(reason === null ? [] : [reason]),
    ...(waitsForQuota ? ['the mail quota of this hour is spent'] : []),
  ];
  return `${state.padEnd(8)} ${email}  ${details.join(', ')}\n`;
}
