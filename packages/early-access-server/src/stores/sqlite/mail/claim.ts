import type { DatabaseSync } from 'node:sqlite';
import { MAILS_PER_MAILBOX_AND_DAY, quotaHour } from '../../../app/mail/mail-quota.ts';
import type { Claim } from '../../../app/ports/store.ts';
import {
  beginDeliveries,
  type ClaimLimits,
  countAttempts,
  type DueMessage,
  decideClaim,
  dropMessages,
  findOtherDomain,
  isUndeliverable,
  probePause,
  toDueMessage,
} from '../../sql/claim.ts';
import { toPause } from '../../sql/mail-pause.ts';
import { saveMessages } from '../../sql/messages.ts';
import { integer, type Row } from '../../sql/row.ts';
import type { RunTransaction } from '../run-transaction.ts';

/** The most messages that one claim may postpone or delete, so that its transaction is short. */
const MAX_PASSED_OVER = 50;

const selectDue = (campaign: string, from: string, which: string) => `
  SELECT coalesce(recipient, email) AS address, signup.state AS person_state, signup.fields, signup.confirmed_at,
    signup.language, signup.entered, ${campaign}, pause.data AS pause, mails.*
  FROM ${from} LEFT JOIN email_signups AS signup ON signup.id = signup_id LEFT JOIN mail_pause AS pause ON pause.id = 1
  WHERE mails.state = 'queued' AND next_attempt_at <= ? AND ${which}`;
const FIRST = 'ORDER BY next_attempt_at LIMIT 1';

/**
 * Messages of campaigns that are not being sent have to wait. CROSS makes SQLite read messages in the order in which
 * they are due.
 */
const OF_CAMPAIGNS = "mails CROSS JOIN campaigns ON campaigns.id = campaign_id AND campaigns.state = 'sending'";

/** All of them find their rows through an index, for one mailbox or in the whole queue, regardless of its size. */
export const CLAIM_QUERIES = {
  due: `${selectDue('NULL AS subject', 'mails', 'campaign_id IS NULL')} ${FIRST}`,
  dueOfCampaigns: `${selectDue('subject, body', OF_CAMPAIGNS, 'campaign_id IS NOT NULL')} ${FIRST}`,
  dueById: selectDue('subject, body', 'mails LEFT JOIN campaigns ON campaigns.id = campaign_id', 'mails.id = ?'),
  attempted: `
    SELECT attempted_at AS time FROM mailbox_attempts WHERE mailbox = ? AND message_key <> ?
    ORDER BY attempted_at DESC LIMIT ${MAILS_PER_MAILBOX_AND_DAY}`,
  planned: `
    SELECT next_attempt_at AS time FROM mails WHERE mailbox = ? AND state = 'queued' AND next_attempt_at > ?
    ORDER BY next_attempt_at DESC LIMIT ${MAILS_PER_MAILBOX_AND_DAY}`,
  hourAttempts: 'SELECT coalesce(max(attempts), 0) AS attempts FROM mail_hours WHERE hour = ?',
} as const;

/**
 * Returns a function that claims the message that has been due longest, campaigns last and suspected domains after
 * others. Messages before it are postponed in order if their mailbox is full, and deleted if the person may not receive
 * them. Must run inside a transaction.
 */
export function mailClaim(db: DatabaseSync, run: RunTransaction, limits: ClaimLimits): (now: number) => Claim {
  const due = db.prepare(CLAIM_QUERIES.due);
  const dueOfCampaigns = db.prepare(CLAIM_QUERIES.dueOfCampaigns);
  const dueById = db.prepare(CLAIM_QUERIES.dueById);
  const attempted = db.prepare(CLAIM_QUERIES.attempted);
  const planned = db.prepare(CLAIM_QUERIES.planned);
  const hourAttempts = db.prepare(CLAIM_QUERIES.hourAttempts);
  const setMailbox = db.prepare('UPDATE mails SET mailbox = ? WHERE id = ?');
  const readTimes = (rows: ReturnType<typeof attempted.all>) => rows.map((row) => integer(row, 'time'));

  function deliver(next: DueMessage, row: Row, now: number): Claim {
    if (toPause(row) !== null && run(probePause(next, limits, now))) return 'paused';
    const [counted] = run(countAttempts(1, now));
    const { statements, messages } = beginDeliveries(
      { due: [next], hourAttempts: integer(counted, 'attempts') },
      limits,
      now,
    );
    for (const statement of statements) run(statement);
    return messages[0] ?? 'nothing';
  }

  return (now) => {
    for (let passedOver = 0; passedOver < MAX_PASSED_OVER; passedOver += 1) {
      const first = due.get(now) ?? dueOfCampaigns.get(now);
      if (first === undefined) return 'nothing';
      const pause = toPause(first);
      const other = pause === null ? null : run(findOtherDomain(pause, now));
      const row = (other === null ? undefined : dueById.get(now, other)) ?? first;
      const next = toDueMessage(row);
      if (isUndeliverable(next)) {
        run(dropMessages([next], now));
        continue;
      }
      // Notices to admins are not limited.
      const mailbox = next.person?.mailbox ?? null;
      const usage = {
        attemptTimes: readTimes(attempted.all(mailbox, next.message.message_key)),
        plannedTimes: () => readTimes(planned.all(mailbox, now)),
        hourAttempts: integer(hourAttempts.get(quotaHour(now)), 'attempts'),
        mailsPerHour: limits.mailsPerHour,
      };
      const decision = decideClaim(next, usage, now);
      if (decision === 'quota-spent') return decision;
      if (decision === 'deliver') return deliver(next, row, now);
      run(saveMessages([{ id: next.id, message: decision }]));
      setMailbox.run(mailbox, next.id);
    }
    return 'mailbox-full';
  };
}
