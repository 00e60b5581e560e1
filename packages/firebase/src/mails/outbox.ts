import { randomInt, randomUUID } from 'node:crypto';
import type { Settlement } from 'early-access-server/app';
import {
  type Clock,
  decideDelivery,
  MAILBOX_FULL_REASON,
  MAILS_PER_MAILBOX_AND_DAY,
  mailboxFreeAt,
  mailboxKey,
} from 'early-access-server/app';
import type { DocumentSnapshot, Firestore, Transaction } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../collections.ts';
import { ALREADY_EXISTS, hasStatus } from '../grpc-status.ts';
import { type BudgetShard, budgetShards, spending, spentOf } from './hourly-budget.ts';
import { otherTimes, readAttempts, withAttempt } from './mailbox-record.ts';
import { type MailRecord, newMail, readMail } from './record.ts';

/** A mail that this caller alone may hand over. */
export interface ClaimedMail {
  readonly signupId: string;
  readonly email: string;
  readonly messageKey: string;
  /** Attempts so far, this one included. */
  readonly attempts: number;
  readonly claimedBy: string;
}

/**
 * `nothing` to send: not signed up, sent, being sent, given up, or not due yet. `quota-spent` and `mailbox-full`: the message is
 * queued, for the next hour or for when its mailbox has room.
 */
type Claim = ClaimedMail | 'nothing' | 'quota-spent' | 'mailbox-full';

/** The mails of the sign-ups, in the store. */
export interface Outbox {
  /**
   * Marks the mail of a sign-up `sending` and counts it for its mailbox and for the hour, in ONE transaction. Of all that ask at the
   * same time, however often, ONE gets it. A message to a full mailbox uses up nothing of the hour.
   */
  claim(signupId: string): Promise<Claim>;
  /** Keeps the outcome of a claimed attempt, also where its lease has run out meanwhile. */
  settle(mail: ClaimedMail, settlement: Settlement): Promise<void>;
  /** Turns a mail whose lease has run out into `unknown`: whoever sent it ended before it knew. Answers whether it did. */
  expire(signupId: string): Promise<boolean>;
}

export interface OutboxOptions {
  readonly firestore: Firestore;
  readonly mailsPerHour: number;
  readonly clock: Clock;
  /** Longer than any delivery takes. */
  readonly leaseMs: number;
}

export function outbox({ firestore, mailsPerHour, clock, leaseMs }: OutboxOptions): Outbox {
  const signupOf = (id: string) => firestore.collection(COLLECTIONS.signups).doc(id);
  const mailOf = (id: string) => firestore.collection(COLLECTIONS.mails).doc(id);
  const mailboxOf = (email: string) => firestore.collection(COLLECTIONS.mailboxes).doc(mailboxKey(email));

  /** Looks without locks first: most calls find nothing to do, and a part of the budget with room has to be chosen. */
  async function claim(id: string): Promise<Claim> {
    const claimedBy = randomUUID();
    for (;;) {
      const now = clock();
      const shards = budgetShards(firestore, mailsPerHour, now);
      const [signup, mail, ...spent] = await firestore.getAll(
        signupOf(id),
        mailOf(id),
        ...shards.map(({ ref }) => ref),
      );
      const due = dueMail(signup, mail, now);
      if (due === null) return nothingFor(id, signup, mail);
      const attempts = readAttempts(await mailboxOf(due.email).get());
      const attemptTimes = otherTimes(attempts, due.record?.message_key);
      const hourAttempts = spent.reduce((sum, shard) => sum + spentOf(shard), 0);
      const decision = decideDelivery({ attemptTimes, hourAttempts, mailsPerHour }, now);
      if (decision === 'mailbox-full') {
        await postpone(id, due.email, attemptTimes, now);
        return decision;
      }
      const roomy = shards.filter((shard, index) => hasRoom(shard, spent[index]));
      const shard = roomy[randomInt(Math.max(1, roomy.length))];
      if (decision === 'quota-spent' || shard === undefined) {
        if (due.record === null) await queueUp(id, now);
        return 'quota-spent';
      }
      const claimed = await firestore.runTransaction((transaction) =>
        take(transaction, id, due.email, shard, claimedBy),
      );
      if (claimed !== 'full') return claimed;
    }
  }

  /** Returns `full` if others have used up the part or the mailbox meanwhile. */
  async function take(
    transaction: Transaction,
    id: string,
    email: string,
    shard: BudgetShard,
    claimedBy: string,
  ): Promise<Claim | 'full'> {
    const now = clock();
    const mailbox = mailboxOf(email);
    const [signup, mail, spent, history] = await transaction.getAll(signupOf(id), mailOf(id), shard.ref, mailbox);
    const kept = recordOf(mail);
    // The answer to the commit got lost, and the client ran the transaction again.
    if (kept?.claimed_by === claimedBy) return toClaimed(id, email, kept);
    if (dueMail(signup, mail, now) === null) return 'nothing';
    const attempts = readAttempts(history);
    const usage = {
      attemptTimes: otherTimes(attempts, kept?.message_key),
      hourAttempts: spent ? spentOf(spent) : 0,
      mailsPerHour: shard.share,
    };
    if (decideDelivery(usage, now) !== 'deliver') return 'full';
    const before = kept ?? newMail(randomUUID(), now);
    const record: MailRecord = {
      ...before,
      state: 'sending',
      attempts: before.attempts + 1,
      lease_until: now + leaseMs,
      claimed_by: claimedBy,
      changed_at: now,
    };
    transaction.set(mailOf(id), record);
    transaction.set(mailbox, withAttempt(attempts, { message_key: record.message_key, at: now }));
    transaction.set(shard.ref, spending(usage.hourAttempts + 1, mailsPerHour, now));
    return toClaimed(id, email, record);
  }

  /**
   * Plans the message for the first day on which its mailbox has room. Callers at the same moment may plan for the same day, because no
   * document counts what is planned: the claim on that day postpones again what is too much.
   */
  async function postpone(id: string, email: string, attemptTimes: readonly number[], now: number): Promise<void> {
    const mailbox = mailboxKey(email);
    const planned = await firestore
      .collection(COLLECTIONS.mails)
      .where('mailbox', '==', mailbox)
      .where('state', '==', 'queued')
      .where('next_attempt_at', '>', now)
      .orderBy('next_attempt_at', 'desc')
      .limit(MAILS_PER_MAILBOX_AND_DAY)
      .get();
    const times = planned.docs.map((doc) => readMail(doc.data()).next_attempt_at);
    const next_attempt_at = mailboxFreeAt([...attemptTimes, ...times], now);
    await firestore.runTransaction(async (transaction) => {
      const [signup, mail] = await transaction.getAll(signupOf(id), mailOf(id));
      const due = dueMail(signup, mail, now);
      if (due === null) return;
      const record = due.record ?? newMail(randomUUID(), now);
      const changes = { mailbox, next_attempt_at, reason: MAILBOX_FULL_REASON, changed_at: now };
      transaction.set(mailOf(id), { ...record, ...changes });
    });
  }

  /** A mail whose sign-up the owner has erased goes too. */
  async function nothingFor(id: string, signup?: DocumentSnapshot, mail?: DocumentSnapshot): Promise<Claim> {
    if (!signup?.exists && mail?.exists) await mailOf(id).delete();
    return 'nothing';
  }

  /** Leaves alone what another caller has made of it meanwhile. */
  async function queueUp(id: string, now: number): Promise<void> {
    try {
      await mailOf(id).create({ ...newMail(randomUUID(), now) });
    } catch (error) {
      if (!hasStatus(error, ALREADY_EXISTS)) throw error;
    }
  }

  /** Changes a mail if it is there and `change` finds something to change. */
  function alter(id: string, change: (record: MailRecord) => Partial<MailRecord> | null): Promise<boolean> {
    return firestore.runTransaction(async (transaction) => {
      const record = recordOf(await transaction.get(mailOf(id)));
      const changes = record && change(record);
      if (!changes) return false;
      transaction.update(mailOf(id), { ...changes, changed_at: clock() });
      return true;
    });
  }

  return {
    claim,
    async settle({ signupId, claimedBy }, settlement) {
      const reason = settlement.state === 'sent' ? null : settlement.reason;
      const next = settlement.state === 'queued' ? { next_attempt_at: settlement.retryAt } : {};
      await alter(signupId, ({ state, claimed_by }) => {
        const open = state === 'sending' || state === 'unknown';
        return open && claimed_by === claimedBy ? { state: settlement.state, reason, ...next } : null;
      });
    },
    expire: (signupId) =>
      alter(signupId, ({ state, lease_until }) =>
        state === 'sending' && lease_until < clock()
          ? { state: 'unknown', reason: 'the sending process ended before it knew' }
          : null,
      ),
  };
}

function recordOf(mail: DocumentSnapshot | undefined): MailRecord | null {
  const data = mail?.data();
  return data === undefined ? null : readMail(data);
}

/** A message that is due, with its record if it has one: a sign-up without a mail is one whose mail nobody has thought of yet. */
function dueMail(
  signup: DocumentSnapshot | undefined,
  mail: DocumentSnapshot | undefined,
  now: number,
): { readonly email: string; readonly record: MailRecord | null } | null {
  const email: unknown = signup?.get('email');
  const record = recordOf(mail);
  if (typeof email !== 'string') return null;
  return record === null || (record.state === 'queued' && record.next_attempt_at <= now) ? { email, record } : null;
}

function hasRoom({ share }: BudgetShard, spent: DocumentSnapshot | undefined): boolean {
  return spent !== undefined && spentOf(spent) < share;
}

function toClaimed(signupId: string, email: string, record: MailRecord): ClaimedMail {
  return {
    signupId,
    email,
    messageKey: record.message_key,
    attempts: record.attempts,
    claimedBy: record.claimed_by,
  };
}
