import type { DatabaseSync } from 'node:sqlite';
import { PERSON_STATES } from '../../../app/list/states.ts';
import {
  decideDelivery,
  MAILS_PER_MAILBOX_AND_DAY,
  mailboxFreeAt,
  mailboxKey,
  nextQuotaHour,
  quotaHour,
  quotaOf,
} from '../../../app/mail/mail-quota.ts';
import { beginAttempt, postponed } from '../../../app/mail/message.ts';
import { MESSAGE_KINDS, mayReceive } from '../../../app/mail/message-kinds.ts';
import { toClaimedMessage, toMessage } from '../../sql/message-row.ts';
import { integer, integerOrNull, oneOf, type Row, text } from '../../sql/row.ts';
import { createTokens } from '../../sql/tokens.ts';
import type { Claim, ClaimedMessage } from '../../store.ts';
import type { RunTransaction } from '../run-transaction.ts';
import { messageUpdate } from './message-row.ts';

/** Messages that one claim may postpone or delete, so that its transaction stays short. */
const MAX_PASSED_OVER = 50;

const DAY_MS = 86_400_000;

/** A message of a campaign that is not being sent waits. CROSS, so that messages are read in the order in which they are due. */
export const OF_CAMPAIGNS = "mails CROSS JOIN campaigns ON campaigns.id = campaign_id AND campaigns.state = 'sending'";

const firstDue = (from: string, which: string) => `
  SELECT coalesce(email, recipient) AS address, signup.state AS person_state, signup.fields, mails.*
  FROM ${from} LEFT JOIN email_signups AS signup ON signup.id = signup_id
  WHERE mails.state = 'queued' AND next_attempt_at <= ? AND campaign_id ${which} ORDER BY next_attempt_at LIMIT 1`;

/** Each finds its rows by an index, however many messages wait, for one mailbox or in all. */
export const CLAIM_QUERIES = {
  due: firstDue('mails', 'IS NULL'),
  dueOfCampaigns: firstDue(OF_CAMPAIGNS, 'IS NOT NULL'),
  attempted: `
    SELECT attempted_at AS time FROM mailbox_attempts WHERE mailbox = ? AND message_key <> ?
    ORDER BY attempted_at DESC LIMIT ${MAILS_PER_MAILBOX_AND_DAY}`,
  planned: `
    SELECT next_attempt_at AS time FROM mails WHERE mailbox = ? AND state = 'queued' AND next_attempt_at > ?
    ORDER BY next_attempt_at DESC LIMIT ${MAILS_PER_MAILBOX_AND_DAY}`,
  hourAttempts: 'SELECT coalesce(max(attempts), 0) AS attempts FROM mail_hours WHERE hour = ?',
} as const;

export interface MailClaim {
  quotaSpentUntil(now: number): number | null;
  /**
   * Claims the message that has been due longest, campaigns last. Postpones those before it whose mailbox is full, in order, and deletes
   * those to people who may not receive them any more.
   */
  claim(now: number): Claim;
}

/** One member of a transaction each. */
export function mailClaim(db: DatabaseSync, run: RunTransaction, mailsPerHour: number, leaseMs: number): MailClaim {
  const due = db.prepare(CLAIM_QUERIES.due);
  const dueOfCampaigns = db.prepare(CLAIM_QUERIES.dueOfCampaigns);
  const attempted = db.prepare(CLAIM_QUERIES.attempted);
  const planned = db.prepare(CLAIM_QUERIES.planned);
  const hourAttempts = db.prepare(CLAIM_QUERIES.hourAttempts);
  const setMailbox = db.prepare('UPDATE mails SET mailbox = ? WHERE id = ?');
  const setAttempted = db.prepare(
    'INSERT INTO mailbox_attempts VALUES (?, ?, ?) ON CONFLICT (message_key) DO UPDATE SET attempted_at = excluded.attempted_at',
  );
  const remove = db.prepare('DELETE FROM mails WHERE id = ?');
  const count = db.prepare(
    'INSERT INTO mail_hours (hour, attempts) VALUES (?, 1) ON CONFLICT (hour) DO UPDATE SET attempts = attempts + 1',
  );
  const removeHours = db.prepare('DELETE FROM mail_hours WHERE hour < ?');
  const findCampaign = db.prepare('SELECT subject, body FROM campaigns WHERE id = ?');
  const update = messageUpdate(db);

  const attemptsIn = (hour: number) => integer(hourAttempts.get(hour), 'attempts');
  const timesOf = (rows: ReturnType<typeof attempted.all>) => rows.map((row) => integer(row, 'time'));

  function campaignOf(row: Row): ClaimedMessage['campaign'] {
    const campaign = findCampaign.get(integerOrNull(row, 'campaign_id'));
    return campaign === undefined ? null : { subject: text(campaign, 'subject'), body: text(campaign, 'body') };
  }

  return {
    quotaSpentUntil: (now) => (attemptsIn(quotaHour(now)) < mailsPerHour ? null : nextQuotaHour(now)),
    claim(now) {
      const hour = quotaHour(now);
      for (let passedOver = 0; passedOver < MAX_PASSED_OVER; passedOver += 1) {
        const row = due.get(now) ?? dueOfCampaigns.get(now);
        if (row === undefined) return 'nothing';
        const [id, signupId, email] = [integer(row, 'id'), integerOrNull(row, 'signup_id'), text(row, 'address')];
        const kind = oneOf(row, 'kind', MESSAGE_KINDS);
        if (signupId !== null && !mayReceive(oneOf(row, 'person_state', PERSON_STATES), kind)) {
          remove.run(id);
          continue;
        }
        const message = toMessage(row);
        // An admin may get any number of notices.
        const mailbox = signupId === null ? null : mailboxKey(email);
        const attemptTimes = timesOf(attempted.all(mailbox, message.message_key));
        const usage = { attemptTimes, hourAttempts: attemptsIn(hour), mailsPerHour: quotaOf(kind, mailsPerHour) };
        const decision = decideDelivery(usage, now);
        if (decision === 'quota-spent') return decision;
        if (decision === 'mailbox-full') {
          const times = [...attemptTimes, ...timesOf(planned.all(mailbox, now))];
          update(id, postponed(message, mailboxFreeAt(times, now), now));
          setMailbox.run(mailbox, id);
          continue;
        }
        const begun = beginAttempt(message, now, leaseMs);
        update(id, begun);
        if (mailbox !== null) setAttempted.run(message.message_key, mailbox, now);
        count.run(hour);
        removeHours.run(hour - DAY_MS);
        return toClaimedMessage(row, begun, {
          campaign: campaignOf(row),
          tokens: run(createTokens(signupId, kind, now)),
        });
      }
      return 'mailbox-full';
    },
  };
}
