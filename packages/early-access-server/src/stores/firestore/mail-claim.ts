import { randomInt, randomUUID } from 'node:crypto';
import type { DocumentSnapshot, Firestore, Transaction } from 'firebase-admin/firestore';
import type { Clock } from '../../app/clock.ts';
import { decideDelivery, MAILS_PER_MAILBOX_AND_DAY, mailboxFreeAt, mailboxKey } from '../../app/mail/mail-quota.ts';
import { beginAttempt, isDue, postponed } from '../../app/mail/message.ts';
import type { Claim, ClaimedMessage } from '../store.ts';
import { ALREADY_EXISTS, COLLECTIONS, hasStatus } from './database.ts';
import { attemptsIn, hourDocument, type QuotaShard, quotaShards } from './mail-hours.ts';
import { otherTimes, readAttempts, withAttempt } from './mailbox.ts';
import { type MessageDocument, newMessageDocument, readMessage } from './message-document.ts';

export interface MailQueueOptions {
  readonly firestore: Firestore;
  readonly mailsPerHour: number;
  readonly clock: Clock;
  readonly leaseMs: number;
}

/** Claims the message of one signup. A signup without a message, written by a browser, gets it here. */
export function mailClaim({
  firestore,
  mailsPerHour,
  clock,
  leaseMs,
}: MailQueueOptions): (signupId: string) => Promise<Claim> {
  const signupRef = (id: string) => firestore.collection(COLLECTIONS.signups).doc(id);
  const messageRef = (id: string) => firestore.collection(COLLECTIONS.mails).doc(id);
  const mailboxRef = (email: string) => firestore.collection(COLLECTIONS.mailboxes).doc(mailboxKey(email));

  /** Reads without locks first: most calls find nothing to do, and a part of the quota with room has to be chosen. */
  async function claim(id: string): Promise<Claim> {
    const claimToken = randomUUID();
    for (;;) {
      const now = clock();
      const shards = quotaShards(firestore, mailsPerHour, now);
      const [signup, message, ...hours] = await firestore.getAll(
        signupRef(id),
        messageRef(id),
        ...shards.map(({ ref }) => ref),
      );
      const due = dueMessage(signup, message, now);
      if (due === null) {
        // The signup was erased, so its message goes too.
        if (!signup?.exists && message?.exists) await messageRef(id).delete();
        return 'nothing';
      }
      const attempts = readAttempts(await mailboxRef(due.email).get());
      const attemptTimes = otherTimes(attempts, due.message?.message_key);
      const hourAttempts = hours.reduce((sum, hour) => sum + attemptsIn(hour), 0);
      const decision = decideDelivery({ attemptTimes, hourAttempts, mailsPerHour }, now);
      if (decision === 'mailbox-full') {
        await postpone(id, due.email, attemptTimes, now);
        return decision;
      }
      const withRoom = shards.filter(({ share }, index) => attemptsIn(hours[index]) < share);
      const shard = withRoom[randomInt(Math.max(1, withRoom.length))];
      if (decision === 'quota-spent' || shard === undefined) {
        if (due.message === null) await createMessage(id, now);
        return 'quota-spent';
      }
      const claimed = await firestore.runTransaction((transaction) =>
        begin(transaction, id, due.email, shard, claimToken),
      );
      if (claimed !== 'full') return claimed;
    }
  }

  /** Returns `full` if others have used up the part of the quota or the mailbox meanwhile. */
  async function begin(
    transaction: Transaction,
    id: string,
    email: string,
    shard: QuotaShard,
    claimToken: string,
  ): Promise<Claim | 'full'> {
    const now = clock();
    const mailbox = mailboxRef(email);
    const [signup, snapshot, hour, history] = await transaction.getAll(
      signupRef(id),
      messageRef(id),
      shard.ref,
      mailbox,
    );
    const stored = readMessage(snapshot);
    // The response to the commit was lost, and the client ran the transaction again.
    if (stored?.claimed_by === claimToken) return toClaimed(id, email, stored);
    if (dueMessage(signup, snapshot, now) === null) return 'nothing';
    const attempts = readAttempts(history);
    const hourAttempts = attemptsIn(hour);
    const attemptTimes = otherTimes(attempts, stored?.message_key);
    if (decideDelivery({ attemptTimes, hourAttempts, mailsPerHour: shard.share }, now) !== 'deliver') return 'full';
    const before = stored ?? newMessageDocument(randomUUID(), now);
    const begun = { ...before, ...beginAttempt(before, now, leaseMs), claimed_by: claimToken };
    transaction.set(messageRef(id), begun);
    transaction.set(mailbox, withAttempt(attempts, { message_key: begun.message_key, at: now }));
    transaction.set(shard.ref, hourDocument(hourAttempts + 1, mailsPerHour, now));
    return toClaimed(id, email, begun);
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
    const times = planned.docs.flatMap((document) => readMessage(document)?.next_attempt_at ?? []);
    const until = mailboxFreeAt([...attemptTimes, ...times], now);
    await firestore.runTransaction(async (transaction) => {
      const [signup, snapshot] = await transaction.getAll(signupRef(id), messageRef(id));
      const due = dueMessage(signup, snapshot, now);
      if (due === null) return;
      const message = due.message ?? newMessageDocument(randomUUID(), now);
      transaction.set(messageRef(id), { ...message, ...postponed(message, until, now), mailbox });
    });
  }

  /** Leaves alone what another caller has made of it meanwhile. */
  async function createMessage(id: string, now: number): Promise<void> {
    try {
      await messageRef(id).create({ ...newMessageDocument(randomUUID(), now) });
    } catch (error) {
      if (!hasStatus(error, ALREADY_EXISTS)) throw error;
    }
  }

  return claim;
}

/** The address of a message that is due, and its document if it has one. Null if nothing is due. */
function dueMessage(
  signup: DocumentSnapshot | undefined,
  snapshot: DocumentSnapshot | undefined,
  now: number,
): { readonly email: string; readonly message: MessageDocument | null } | null {
  const message = readMessage(snapshot);
  const email: unknown = signup?.get('email');
  if (typeof email !== 'string') return null;
  return message === null || isDue(message, now) ? { email, message } : null;
}

function toClaimed(id: string, email: string, message: MessageDocument): ClaimedMessage {
  const { message_key: messageKey, attempts, claimed_by: claimToken } = message;
  return { id, kind: 'welcome', email, messageKey, attempts, claimToken, tokens: { link: null, unsubscribe: null } };
}
