import { MAIL_STATES, type MessageRecord } from '../../app/mail/message.ts';
import { integer, integerOrNull, oneOf, type Row, text, textOrNull } from './row.ts';

/** The message in a row of `mails`. */
export function toMessage(row: Row): MessageRecord {
  return {
    state: oneOf(row, 'state', MAIL_STATES),
    message_key: text(row, 'message_key'),
    attempts: integer(row, 'attempts'),
    next_attempt_at: integer(row, 'next_attempt_at'),
    lease_until: integerOrNull(row, 'lease_until') ?? 0,
    reason: textOrNull(row, 'reason'),
    changed_at: integer(row, 'changed_at'),
  };
}

/** Identifies the attempt that a message is in: a later one has a later lease. */
export function claimTokenOf({ lease_until }: MessageRecord): string {
  return String(lease_until);
}
