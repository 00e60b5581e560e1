import { DAY_MS } from 'early-access-kit/internal';
import { domainKey, mailboxKey } from '../../app/lifecycle/mailbox.ts';
import { PERSON_STATES, type PersonState } from '../../app/lifecycle/states.ts';
import { beginProbe, domainsToAvoid, type MailPause, mayAttempt } from '../../app/mail/mail-pause.ts';
import { computeQuota, decideDelivery, findFreeTime, quotaHour } from '../../app/mail/mail-quota.ts';
import { MESSAGE_KINDS, type MessageKind, mayReceive } from '../../app/mail/message-kinds.ts';
import { afterBounce, beginAttempt, type MessageRecord, postponed } from '../../app/mail/message-state.ts';
import { changePause } from './mail-pause.ts';
import { toClaimedMessage, toMessage } from './message-row.ts';
import { saveMessages } from './messages.ts';
import { integer, integerOrNull, type Row, readChoice, text, textOrNull } from './row.ts';
import { list, type Statement, sql, type Transaction } from './statement.ts';
import type { StoreSettings } from './store-options.ts';
import { insertLinks, newLinks } from './tokens.ts';

// Finding and locking due messages is left to each database, because claims are on its hot path.

export type ClaimLimits = Pick<StoreSettings, 'mailsPerHour' | 'leaseMs'>;

/** A message that this transaction may claim. */
export interface DueMessage {
  readonly id: number;
  readonly kind: MessageKind;
  readonly message: MessageRecord;
  /** Null for a notice. */
  readonly person: { readonly id: number; readonly state: PersonState; readonly mailbox: string } | null;
  readonly row: Row;
}

/**
 * Reads a row of `mails` with its `address`, the `person_state`, the `subject` and `body` of its campaign, and the
 * `pause` of the queue.
 */
export function toDueMessage(row: Row): DueMessage {
  const id = integerOrNull(row, 'signup_id');
  return {
    id: integer(row, 'id'),
    kind: readChoice(row, 'kind', MESSAGE_KINDS),
    message: toMessage(row),
    person:
      id === null
        ? null
        : { id, state: readChoice(row, 'person_state', PERSON_STATES), mailbox: mailboxKey(text(row, 'address')) },
    row,
  };
}

/** Returns whether the person may not receive the message in their current state. */
export function isUndeliverable({ person, kind }: DueMessage): boolean {
  return person !== null && !mayReceive(person.state, kind);
}

/**
 * Removes undeliverable messages from the queue. If the address bounced, they are stored as failed, except for campaign
 * messages.
 */
export function* dropMessages(dropped: readonly DueMessage[], now: number): Transaction<void> {
  const bounced = dropped.filter(({ person, kind }) => person?.state === 'bounced' && kind !== 'campaign');
  for (const { id, message } of bounced) yield* saveMessages([{ id, message: afterBounce(message, now) }]);
  const others = dropped.filter((message) => !bounced.includes(message)).map(({ id }) => id);
  if (others.length > 0) yield* sql`DELETE FROM @mails WHERE id IN (${list(others)})`;
}

/** When other messages of a mailbox were attempted or are planned, and the attempts in this hour. */
export interface ClaimUsage {
  readonly attemptTimes: readonly number[];
  /** Only called if the mailbox is full. */
  readonly plannedTimes: () => readonly number[];
  readonly hourAttempts: number;
  readonly mailsPerHour: number;
}

/** Decides whether the message can be delivered now. If its mailbox is full, returns the message to store. */
export function decideClaim(
  { kind, message }: DueMessage,
  { attemptTimes, plannedTimes, hourAttempts, mailsPerHour }: ClaimUsage,
  now: number,
): 'deliver' | 'quota-spent' | MessageRecord {
  const usage = { attemptTimes, hourAttempts, mailsPerHour: computeQuota(kind, mailsPerHour) };
  const decision = decideDelivery(usage, now);
  if (decision !== 'mailbox-full') return decision;
  return postponed(message, kind, findFreeTime([...attemptTimes, ...plannedTimes()], now), now);
}

/** Deliveries that a claim starts, and the number of attempts in this hour including them. */
export interface Deliveries {
  readonly due: readonly DueMessage[];
  readonly hourAttempts: number;
}

/** The statements that start the deliveries, and the messages for the callers. Count the attempts first. */
export function beginDeliveries(
  { due, hourAttempts }: Deliveries,
  { leaseMs }: Pick<ClaimLimits, 'leaseMs'>,
  now: number,
) {
  const started = due.map(({ id, kind, person, message, row }) => ({
    id,
    row,
    person,
    message: beginAttempt(message, now, leaseMs),
    links: newLinks(person?.id ?? null, kind, now, integerOrNull(row, 'campaign_id')),
  }));
  const links = started.flatMap(({ links }) => links.rows);
  const attempts = started.flatMap(({ message, person }) =>
    person === null ? [] : [sql`(${message.message_key}, ${person.mailbox}, ${now})`],
  );
  return {
    statements: [
      saveMessages(started),
      ...(links.length > 0 ? [insertLinks(links)] : []),
      ...(attempts.length > 0
        ? [
            sql`
        INSERT INTO @mailbox_attempts (message_key, mailbox, attempted_at) VALUES ${list(attempts)}
        ON CONFLICT (message_key) DO UPDATE SET attempted_at = excluded.attempted_at
      `,
          ]
        : []),
      // Done once an hour.
      ...(hourAttempts === due.length ? [sql`DELETE FROM @mail_hours WHERE hour < ${quotaHour(now) - DAY_MS}`] : []),
    ],
    messages: started.map(({ row, message, links: { tokens } }) => {
      const campaign = row.subject === null ? null : { subject: text(row, 'subject'), body: text(row, 'body') };
      return toClaimedMessage(row, message, { campaign, tokens });
    }),
  };
}

/**
 * Counts attempts for this hour; a negative number takes them back. Returns the hour's total. Other claims wait until
 * the transaction has ended.
 */
export function countAttempts(attempts: number, now: number): Statement {
  return sql`
    INSERT INTO @mail_hours AS stored (hour, attempts) VALUES (${quotaHour(now)}, ${attempts})
    ON CONFLICT (hour) DO UPDATE SET attempts = stored.attempts + excluded.attempts RETURNING attempts
  `;
}

/**
 * Returns whether the queue is paused for this message. If the pause is over, or others were rejected, the message
 * becomes the probe.
 */
export function* probePause(
  { message, row }: DueMessage,
  { leaseMs }: Pick<ClaimLimits, 'leaseMs'>,
  now: number,
): Transaction<boolean> {
  const domain = domainKey(text(row, 'address'));
  const { before } = yield* changePause((pause) =>
    mayAttempt(pause, domain, now) ? beginProbe(pause, message.message_key, now, leaseMs) : pause,
  );
  return !mayAttempt(before, domain, now);
}

/**
 * How many messages at each end of the queue are searched for another domain. Messages of the same import or campaign
 * are adjacent.
 */
const SEARCHED = 50;

/** The id of a due message to a domain that is not suspected, if one is found; campaigns last. */
export function* findOtherDomain(pause: MailPause | null, now: number): Transaction<number | null> {
  const avoided = domainsToAvoid(pause, now);
  if (avoided.size === 0) return null;
  const rows = yield* selectEnds(now);
  const other = rows.find((row) => {
    const address = textOrNull(row, 'address');
    return address !== null && !avoided.has(domainKey(address));
  });
  return other === undefined ? null : integer(other, 'id');
}

/** The first and last due messages, found through indexes, with their addresses. */
export function selectEnds(now: number): Statement {
  const ends = (place: number, which: Statement) => sql`
    SELECT * FROM (
      SELECT ${place} AS place, id, signup_id, recipient, next_attempt_at FROM @mails
      WHERE state = 'queued' AND ${which} AND next_attempt_at <= ${now} ORDER BY next_attempt_at, id LIMIT ${SEARCHED}
    ) AS first
    UNION ALL SELECT * FROM (
      SELECT ${place} AS place, id, signup_id, recipient, next_attempt_at FROM @mails
      WHERE state = 'queued' AND ${which} AND next_attempt_at <= ${now} ORDER BY next_attempt_at DESC, id DESC LIMIT ${SEARCHED}
    ) AS last
  `;
  const ofCampaigns = sql`campaign_id IS NOT NULL
    AND #unindexed campaign_id IN (SELECT id FROM @campaigns WHERE state = 'sending')`;
  return sql`
    SELECT id, coalesce(recipient, (SELECT email FROM @email_signups AS signup WHERE signup.id = signup_id)) AS address
    FROM (${ends(0, sql`campaign_id IS NULL`)} UNION ALL ${ends(1, ofCampaigns)}) AS ends
    ORDER BY place, next_attempt_at, id
  `;
}
