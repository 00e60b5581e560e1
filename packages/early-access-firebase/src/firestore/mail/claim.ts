import { randomInt, randomUUID } from 'node:crypto';
import type { SignupFields } from 'early-access-kit/core';
import {
  beginAttempt,
  type CampaignContent,
  type Claim,
  type ClaimedMessage,
  type Clock,
  decideDelivery,
  isDue,
  MAILS_PER_MAILBOX_AND_DAY,
  type MessageKind,
  type MessageTokens,
  mailboxFreeAt,
  mailboxKey,
  mayReceive,
  newTokens,
  postponed,
  quotaOf,
  readNotice,
  storedFields,
} from 'early-access-server/stores';
import type { DocumentReference, Firestore, Transaction } from 'firebase-admin/firestore';
import { contentOf, stateOf } from '../campaigns/campaigns.ts';
import { COLLECTIONS, type DocumentReader, transact } from '../database.ts';
import { type Enrolment, enrol, enrolmentOf, prepareEnrolment } from '../list/enrolment.ts';
import {
  documentsOf,
  findPerson,
  isOfLeft,
  type StoredPerson,
  toStoredPerson,
  withoutMessages,
} from '../list/person.ts';
import { storeTokens } from '../list/tokens.ts';
import { attemptsIn, hourDocument, type QuotaShard, quotaShards } from './hours.ts';
import { otherTimes, readAttempts, withAttempt } from './mailbox.ts';
import { type MessageDocument, readMessage, signupIdOf } from './message-document.ts';

export interface MailQueueOptions {
  readonly firestore: Firestore;
  readonly mailsPerHour: number;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly confirm: boolean;
}

/** A message that is due, and what belongs to it. */
interface Due {
  readonly email: string;
  readonly fields: SignupFields;
  readonly kind: MessageKind;
  readonly message: MessageDocument;
  readonly campaign: ClaimedMessage['campaign'];
  /** Null for a notice. */
  readonly signup: { readonly person: StoredPerson; readonly enrolment: Enrolment | null } | null;
}

/** What identifies one attempt, whichever transaction begins it. */
interface Attempt {
  readonly claimToken: string;
  readonly tokens: MessageTokens;
}

/** Claims one message. A signup that a browser has written gets its state and its first message here. */
export function mailClaim({
  firestore,
  mailsPerHour,
  clock,
  leaseMs,
  confirm,
}: MailQueueOptions): (messageId: string) => Promise<Claim> {
  const messageRef = (id: string) => firestore.collection(COLLECTIONS.mails).doc(id);
  const mailboxRef = (email: string) => firestore.collection(COLLECTIONS.mailboxes).doc(mailboxKey(email));

  /** Reads without locks first: most calls find nothing to do, and a part of the quota with room has to be chosen. */
  async function claim(id: string): Promise<Claim> {
    // The documents of people who unsubscribed are created among the signups, too.
    if (isOfLeft(id)) return 'nothing';
    const claimToken = randomUUID();
    for (;;) {
      const now = clock();
      const shards = quotaShards(firestore, mailsPerHour, now);
      const [documents, hours] = await readAll(
        firestore,
        id,
        shards.map(({ ref }) => ref),
      );
      const due = await dueMessage(firestore, documents, now);
      if (due === 'dropped') {
        await drop(id, now);
        return 'nothing';
      }
      if (due === null) return 'nothing';
      const { email, kind, signup, message } = due;
      // An admin may get any number of notices.
      const attempts = signup === null ? [] : readAttempts(await mailboxRef(email).get());
      const attemptTimes = otherTimes(attempts, message.message_key);
      const hourAttempts = hours.reduce((sum, hour) => sum + attemptsIn(hour), 0);
      const quota = quotaOf(kind, mailsPerHour);
      const decision = decideDelivery({ attemptTimes, hourAttempts, mailsPerHour: quota }, now);
      if (decision === 'mailbox-full') {
        await postpone(id, email, attemptTimes, now);
        return decision;
      }
      const shares = quotaShards(firestore, quota, now);
      const withRoom = shards
        .map(({ ref }, index) => ({
          ref,
          share: shares.find((shard) => shard.ref.path === ref.path)?.share ?? 0,
          hour: hours[index],
        }))
        .filter(({ share, hour }) => attemptsIn(hour) < share);
      const shard = withRoom[randomInt(Math.max(1, withRoom.length))];
      if (decision === 'quota-spent' || shard === undefined) {
        if (signup?.enrolment) await enrol(firestore, id, { confirm, now });
        return 'quota-spent';
      }
      const attempt = { claimToken, tokens: newTokens(kind) };
      const claimed = await transact(firestore, (transaction) => begin(transaction, id, due, shard, attempt));
      if (claimed !== 'full') return claimed;
    }
  }

  /** Returns `full` if others have used up the part of the quota or the mailbox meanwhile. */
  async function begin(
    transaction: Transaction,
    id: string,
    { email, fields, kind, campaign }: Due,
    shard: QuotaShard,
    { claimToken, tokens }: Attempt,
  ): Promise<Claim | 'full'> {
    const now = clock();
    const mailbox = mailboxRef(email);
    const [documents, [hour, history]] = await readAll(transaction, id, [shard.ref, mailbox]);
    const stored = documents.message;
    // The response to the commit was lost, and the client ran the transaction again.
    if (stored?.claimed_by === claimToken) return toClaimed({ id, email, fields, campaign, tokens }, stored);
    const due = await dueMessage(transaction, documents, now);
    if (due === null || due === 'dropped' || due.kind !== kind) return 'nothing';
    const attempts = readAttempts(history);
    const hourAttempts = attemptsIn(hour);
    const attemptTimes = due.signup === null ? [] : otherTimes(attempts, due.message.message_key);
    if (decideDelivery({ attemptTimes, hourAttempts, mailsPerHour: shard.share }, now) !== 'deliver') return 'full';
    const begun = { ...due.message, ...beginAttempt(due.message, now, leaseMs), claimed_by: claimToken };
    await writeEnrolment(transaction, due);
    transaction.set(messageRef(id), begun);
    if (due.signup !== null) {
      storeTokens(firestore, transaction, tokens, { kind, signupId: due.signup.person.id, now });
      transaction.set(mailbox, withAttempt(attempts, { message_key: begun.message_key, at: now }));
    }
    transaction.set(shard.ref, hourDocument(hourAttempts + 1, mailsPerHour, now));
    return toClaimed({ id, email, fields: due.fields, campaign: due.campaign, tokens }, begun);
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
    await transact(firestore, async (transaction) => {
      const [documents] = await readAll(transaction, id, []);
      const due = await dueMessage(transaction, documents, now);
      if (due === null || due === 'dropped') return;
      await writeEnrolment(transaction, due);
      transaction.set(messageRef(id), { ...due.message, ...postponed(due.message, until, now), mailbox });
    });
  }

  /** Deletes a message that may not be sent any more. */
  function drop(id: string, now: number): Promise<void> {
    return transact(firestore, async (transaction) => {
      const [documents] = await readAll(transaction, id, []);
      if ((await dueMessage(transaction, documents, now)) !== 'dropped') return;
      const { signupId } = documents;
      const person = signupId === null ? null : await findPerson(firestore, transaction, signupId);
      const last = documents.message === null ? new Map() : new Map([[id, documents.message]]);
      if (person !== null) transaction.update(person.document.ref, withoutMessages(person, last));
      transaction.delete(messageRef(id));
    });
  }

  /** The documents of a message, and others in the same call. */
  async function readAll(reader: DocumentReader, id: string, others: readonly DocumentReference[]) {
    const signupId = signupIdOf(id);
    const refs = signupId === null ? [] : [documentsOf(firestore, signupId).signup];
    const [message, ...rest] = await reader.getAll(messageRef(id), ...others, ...refs);
    return [
      { signupId, signup: rest[others.length], message: readMessage(message) },
      rest.slice(0, others.length),
    ] as const;
  }

  /** Null if nothing is due. `dropped`: the message is for someone who may not receive it any more, or is erased. */
  async function dueMessage(
    reader: DocumentReader,
    { signupId, signup, message }: Awaited<ReturnType<typeof readAll>>[0],
    now: number,
  ): Promise<Due | 'dropped' | null> {
    const isWaiting = message !== null && !isDue(message, now);
    if (signupId === null) {
      const email = message?.recipient;
      return message && email && !isWaiting
        ? { email, fields: {}, kind: message.kind, message, campaign: null, signup: null }
        : null;
    }
    const person = toStoredPerson(signup);
    if (signup === undefined || person === null) return message === null || isWaiting ? null : 'dropped';
    const enrolment = await enrolmentOf(firestore, reader, { signup, message }, { confirm, now });
    const due = enrolment?.message ?? message;
    if (due === null || !isDue(due, now)) return null;
    if (!mayReceive(enrolment?.state ?? person.state, due.kind)) return 'dropped';
    const campaign = due.campaign_id === null ? null : await campaignOf(reader, due.campaign_id);
    // One that is paused waits.
    if (typeof campaign === 'string') return campaign === 'paused' ? null : 'dropped';
    const fields = storedFields(signup.get('fields')) ?? {};
    return { email: person.email, fields, kind: due.kind, message: due, campaign, signup: { person, enrolment } };
  }

  /** What the admin wrote, or the state of a campaign that is not being sent. */
  async function campaignOf(
    reader: DocumentReader,
    id: string,
  ): Promise<Pick<CampaignContent, 'subject' | 'body'> | 'paused' | 'ended'> {
    const [campaign] = await reader.getAll(firestore.collection(COLLECTIONS.campaigns).doc(id));
    const state = campaign?.exists ? stateOf(campaign) : null;
    if (campaign === undefined || (state !== 'sending' && state !== 'paused')) return 'ended';
    if (state === 'paused') return state;
    const { subject, body } = contentOf(campaign);
    return { subject, body };
  }

  async function writeEnrolment(transaction: Transaction, { signup }: Due): Promise<void> {
    if (!signup?.enrolment) return;
    const write = await prepareEnrolment(firestore, transaction, signup.person.document, signup.enrolment);
    write(clock());
  }

  return claim;
}

function toClaimed(
  parts: Pick<ClaimedMessage, 'id' | 'email' | 'fields' | 'campaign' | 'tokens'>,
  message: MessageDocument,
): ClaimedMessage {
  const { kind, message_key: messageKey, attempts, claimed_by: claimToken } = message;
  const notice = message.data === null ? null : readNotice(JSON.parse(message.data));
  return { ...parts, kind, messageKey, attempts, claimToken, notice };
}
