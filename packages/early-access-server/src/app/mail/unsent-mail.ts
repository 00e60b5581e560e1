import type { MessageKind } from './message-kinds.ts';
import type { MailState } from './message-state.ts';

/** An unsent message in the mail queue, as the admin sees it. Times are epoch milliseconds. */
export interface UnsentMail {
  readonly id: string;
  readonly email: string;
  readonly kind: MessageKind;
  readonly state: MailState;
  readonly attempts: number;
  readonly nextAttemptAt: number;
  /** Why it is unsent, if known. */
  readonly reason: string | null;
}

/** Selects messages; by default all unsent ones. */
export interface UnsentFilter {
  readonly kind?: MessageKind | undefined;
  readonly state?: Exclude<MailState, 'sent'> | undefined;
  /** The id of a campaign. */
  readonly campaign?: string | undefined;
}

/** Counts of queued messages. Times are epoch milliseconds. */
export interface WaitingMail {
  /** Can be sent now. */
  readonly due: number;
  /** Wait for a later attempt, because they were deferred or their mailbox is full. */
  readonly planned: number;
  /** When the first of the planned messages is due; null if there are none. */
  readonly planned_at: number | null;
  /** Belong to paused campaigns, and wait until those are resumed. */
  readonly of_paused_campaigns: number;
}

/**
 * One output line of the `mail` command, including its line end. If this hour's quota is spent, `quotaSpentUntil` is
 * the start of the next hour; queued messages are not attempted before.
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
