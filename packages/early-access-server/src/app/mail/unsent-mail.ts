import type { MessageKind } from './message-kinds.ts';
import type { MailState } from './message-state.ts';

/** A message of the mail queue that is not sent, as the admin sees it. Times are epoch milliseconds. */
export interface UnsentMail {
  readonly id: string;
  readonly email: string;
  readonly kind: MessageKind;
  readonly state: MailState;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  /** Why it is not sent, if that is known. */
  readonly reason: string | null;
}

/** Which messages are listed; all that are not sent by default. */
export interface UnsentFilter {
  readonly kind?: MessageKind | undefined;
  readonly state?: Exclude<MailState, 'sent'> | undefined;
  /** The id of a campaign. */
  readonly campaign?: string | undefined;
}

/** Numbers of queued messages. Times are epoch milliseconds. */
export interface WaitingMail {
  /** They can be sent now. */
  readonly due: number;
  /** They are planned: the next attempt after one that was deferred, or a mailbox that is full. */
  readonly planned: number;
  /** When the first of these is due; null if there are none. */
  readonly planned_at: number | null;
  /** They belong to campaigns that are paused, and wait until those are resumed. */
  readonly of_paused_campaigns: number;
}

/**
 * One line of what the `mail` command prints, with its line end. `quotaSpentUntil` is when the next hour's mail quota
 * starts if this hour's is spent: a queued message is not tried before.
 */
export function mailLine(mail: UnsentMail, quotaSpentUntil: number | null): string {
  const { email, kind, state, attempts, nextAttemptAt, reason } = mail;
  const isQueued = state === 'queued';
  const waitsForQuota = isQueued && quotaSpentUntil !== null && nextAttemptAt < quotaSpentUntil;
  const next = new Date(waitsForQuota ? quotaSpentUntil : nextAttemptAt).toISOString();
  const details = [
    kind,
    `attempts ${attempts}`,
    ...(isQueued ? [`next ${next}`] : []),
    ...(reason === null ? [] : [reason]),
    ...(waitsForQuota ? ['the mail quota of this hour is used up'] : []),
  ];
  return `${state.padEnd(8)} ${email}  ${details.join(', ')}\n`;
}
