import { emailFields } from '../../app/mail/email-fields.ts';
import { MESSAGE_KINDS } from '../../app/mail/message-kinds.ts';
import { MAIL_STATES, type MessageRecord } from '../../app/mail/message-state.ts';
import { readNotice } from '../../app/mail/notice.ts';
import type { UnsentMail } from '../../app/mail/unsent-mail.ts';
import type { ClaimedMessage } from '../../app/ports/store.ts';
import { toEntered } from './record-rows.ts';
import { integer, integerOrNull, integers, presentFields, type Row, readChoice, text, textOrNull } from './row.ts';

export function toMessage(row: Row): MessageRecord {
  return {
    state: readChoice(row, 'state', MAIL_STATES),
    message_key: text(row, 'message_key'),
    ...integers(row, ['attempts', 'next_attempt_at', 'changed_at']),
    lease_until: integerOrNull(row, 'lease_until') ?? 0,
    reason: textOrNull(row, 'reason'),
  };
}

/** Identifies a message's current attempt: later attempts have later leases. */
export function createClaimToken({ lease_until }: MessageRecord): string {
  return String(lease_until);
}

/**
 * The message for the caller whose attempt has started. `row` is a row of `mails` with the recipient's address, and the
 * person's `fields`, `confirmed_at`, `language` and `entered`.
 */
export function toClaimedMessage(
  row: Row,
  started: MessageRecord,
  parts: Pick<ClaimedMessage, 'campaign' | 'tokens'>,
): ClaimedMessage {
  const kind = readChoice(row, 'kind', MESSAGE_KINDS);
  return {
    id: String(integer(row, 'id')),
    kind,
    email: text(row, 'address'),
    // A correction goes to an address that is not confirmed.
    fields: emailFields(presentFields(row).fields, row.confirmed_at !== null && kind !== 'correction'),
    language: toEntered(row)?.language ?? textOrNull(row, 'language'),
    messageKey: started.message_key,
    attempts: started.attempts,
    claimToken: createClaimToken(started),
    notice: kind === 'notice' ? readNotice(JSON.parse(text(row, 'data'))) : null,
    ...parts,
  };
}

/** Reads a row of `mails` with the recipient's address. */
export function toUnsentMail(row: Row): UnsentMail {
  const { message_key: id, state, attempts, next_attempt_at: nextAttemptAt, reason } = toMessage(row);
  const kind = readChoice(row, 'kind', MESSAGE_KINDS);
  return { id, email: text(row, 'address'), kind, state, attempts, nextAttemptAt, reason };
}
