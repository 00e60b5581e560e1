import { MAILS_PER_MAILBOX_AND_DAY } from '../../../app/mail/mail-quota.ts';
import { integer, type Row, text } from '../../sql/row.ts';
import { type Statement, sql } from '../../sql/statement.ts';

/** The past and planned messages of a mailbox. Times are epoch milliseconds. */
export interface MailboxUse {
  /** Its latest attempts: one more than the limit, because a message does not count against itself. */
  readonly attempts: { readonly messageKey: string; readonly time: number }[];
  /** The latest times for which messages are planned. */
  readonly planned: number[];
}

/** An arbitrary number, the same in every process: the first of the two keys of a mailbox's lock. */
const MAILBOXES = 7_233_403;

/** Selects the usage of mailboxes, which are passed as JSON. */
export function selectUse(mailboxes: string, now: number): Statement {
  return sql`
    SELECT wanted.mailbox, message.* FROM jsonb_array_elements_text(${mailboxes}) AS wanted (mailbox) CROSS JOIN LATERAL (
      (
        SELECT message_key, attempted_at AS time, 'attempt' AS type FROM @mailbox_attempts AS attempts
        WHERE attempts.mailbox = wanted.mailbox ORDER BY attempted_at DESC LIMIT ${MAILS_PER_MAILBOX_AND_DAY + 1}
      ) UNION ALL (
        SELECT message_key, next_attempt_at, 'plan' FROM @mails AS mails
        WHERE mails.mailbox = wanted.mailbox AND state = 'queued' AND next_attempt_at > ${now}
        ORDER BY next_attempt_at DESC LIMIT ${MAILS_PER_MAILBOX_AND_DAY}
      )
    ) AS message
  `;
}

/**
 * Locks mailboxes, which are passed as JSON, until the end of the transaction, so that no other transaction starts or
 * plans a delivery to them. Skips mailboxes that another transaction has locked.
 */
export function lockMailboxes(mailboxes: string): Statement {
  return sql`
    SELECT mailbox FROM jsonb_array_elements_text(${mailboxes}) AS wanted (mailbox)
    WHERE pg_try_advisory_xact_lock(${MAILBOXES}::int, ('x' || left(mailbox, 8))::bit(32)::int)
  `;
}

/** Returns the usage of each locked mailbox. `rows` comes from `selectUse`, which must run after `lockMailboxes`. */
export function toMailboxes(locks: readonly Row[] = [], rows: readonly Row[] = []): ReadonlyMap<string, MailboxUse> {
  return new Map(
    locks.map((lock): [string, MailboxUse] => {
      const mailbox = text(lock, 'mailbox');
      const own = rows.filter((row) => row.mailbox === mailbox);
      return [
        mailbox,
        {
          attempts: own
            .filter((row) => row.type === 'attempt')
            .map((row) => ({ messageKey: text(row, 'message_key'), time: integer(row, 'time') })),
          planned: own.filter((row) => row.type === 'plan').map((row) => integer(row, 'time')),
        },
      ];
    }),
  );
}
