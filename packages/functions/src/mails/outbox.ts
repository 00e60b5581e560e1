import { randomInt, randomUUID } from 'node:crypto';
import type { Clock } from '@early-access-kit/backend';
import type { Settlement } from '@early-access-kit/welcome-email';
import type { DocumentSnapshot, Firestore, Transaction } from 'firebase-admin/firestore';
import { COLLECTIONS } from '../collections.ts';
import { ALREADY_EXISTS, hasStatus } from '../grpc-status.ts';
import { type BudgetShard, budgetShards, spending, spentOf } from './hourly-budget.ts';
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
 * `nothing` to send: not signed up, sent, being sent, given up, or not due yet. `spent`: the hour's budget is used up, and the
 * mail is queued.
 */
type Claim = ClaimedMail | 'nothing' | 'spent';

/** The mails of the sign-ups, in the store. */
export interface Outbox {
  /**
   * Marks the mail of a sign-up `sending` and takes it from the hour's budget, in ONE transaction. Of all that ask at the same
   * time, however often, ONE gets it.
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
      if (!isDue(signup, mail, now)) return nothingFor(id, signup, mail);
      const roomy = shards.filter((shard, index) => hasRoom(shard, spent[index]));
      const shard = roomy[randomInt(Math.max(1, roomy.length))];
      if (shard === undefined) {
        if (!mail?.exists) await queueUp(id, now);
        return 'spent';
      }
      const claimed = await firestore.runTransaction((transaction) => take(transaction, id, shard, claimedBy));
      if (claimed !== 'filled') return claimed;
    }
  }

  /** Answers `filled` where others have used up the part meanwhile. */
  async function take(
    transaction: Transaction,
    id: string,
    shard: BudgetShard,
    claimedBy: string,
  ): Promise<Claim | 'filled'> {
    const now = clock();
    const [signup, mail, spent] = await transaction.getAll(signupOf(id), mailOf(id), shard.ref);
    const kept = recordOf(mail);
    // The answer to the commit got lost, and the client ran the transaction again.
    if (kept?.claimed_by === claimedBy) return toClaimed(id, signup, kept);
    if (!isDue(signup, mail, now)) return 'nothing';
    if (!hasRoom(shard, spent)) return 'filled';
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
    transaction.set(shard.ref, spending((spent ? spentOf(spent) : 0) + 1, now));
    return toClaimed(id, signup, record);
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

/** A sign-up without a mail is one whose mail nobody has thought of yet. */
function isDue(signup: DocumentSnapshot | undefined, mail: DocumentSnapshot | undefined, now: number): boolean {
  const record = recordOf(mail);
  return signup?.exists === true && (record === null || (record.state === 'queued' && record.next_attempt_at <= now));
}

function hasRoom({ share }: BudgetShard, spent: DocumentSnapshot | undefined): boolean {
  return spent !== undefined && spentOf(spent) < share;
}

function toClaimed(signupId: string, signup: DocumentSnapshot | undefined, record: MailRecord): Claim {
  const email: unknown = signup?.get('email');
  if (typeof email !== 'string') return 'nothing';
  return {
    signupId,
    email,
    messageKey: record.message_key,
    attempts: record.attempts,
    claimedBy: record.claimed_by,
  };
}
