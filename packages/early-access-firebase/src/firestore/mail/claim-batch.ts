import { randomInt, randomUUID } from 'node:crypto';
import {
  type Claim,
  type ClaimedMessage,
  computeQuota,
  decideDelivery,
  mailboxKey,
  newTokens,
  quotaHour,
} from 'early-access-server/stores';
import type { DocumentReference, Firestore, QueryDocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import { type DocumentReader, hasStatus, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { personRefs } from '../list/person.ts';
import { type MailQueueOptions, startMessage, toClaimed } from './claim.ts';
import { type DueMessage, findDue, needsEnrolment } from './due-message.ts';
import { countAttempts, hourDocument, quotaShards } from './hours.ts';
import { attemptsDocument, type MailboxAttempt, otherTimes, queryAttempts, readAttempts } from './mailbox.ts';
import { type MessageDocument, messageRef, readMessage, toSignupId } from './message-document.ts';
import { pauseRef, readPause } from './pause.ts';

/** The most mailboxes that Firestore accepts in a query. */
export const BATCH = 30;
/** A batch counts at most this part of its shard, because a process that ends uses up the quota of its batch. */
const SHARE_OF_SHARD = 50;
/** How long a message of a batch may be claimed without checking its campaign, its person and the pause of the queue again. */
const FRESH_MS = 5_000;
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;

/** The state that the claims and outcomes of a process share. */
export interface QueueMemory {
  /** Attempts that were counted for the hour and not made. */
  spare: { readonly hour: number; count: number };
  /** Whether an outcome since the last message that was accepted may have paused the queue. */
  mayBePaused: boolean;
  /** The number of outcomes other than `sent`. */
  refusals: number;
  /** The stored messages of claims. */
  readonly started: WeakMap<ClaimedMessage, StartedMessage>;
}

export interface StartedMessage {
  readonly message: MessageDocument;
  readonly updateTime: Timestamp;
}

export function newQueueMemory(): QueueMemory {
  return { spare: { hour: 0, count: 0 }, mayBePaused: false, refusals: 0, started: new WeakMap() };
}

/** A message that a batch has counted. */
interface Counted extends StartedMessage {
  readonly id: string;
  readonly due: DueMessage;
}

/**
 * Yields functions that claim these messages of campaigns. One transaction counts the attempts of many for the hour and for their mailboxes;
 * each is marked as `sending` only when its function runs, so a crash leaves no more than the messages in transit. A message that cannot
 * be claimed so is claimed alone, by `claimAlone`.
 */
export async function* claimBatch(
  options: MailQueueOptions,
  memory: QueueMemory,
  documents: readonly QueryDocumentSnapshot[],
  claimAlone: (id: string) => () => Promise<Claim>,
): AsyncGenerator<() => Promise<Claim>, void, void> {
  const { clock } = options;
  for (let rest = documents; rest.length > 0; ) {
    const until = clock() + FRESH_MS;
    const { refusals } = memory;
    const counted = await countBatch(options, memory, rest, until);
    // The first one is claimed alone if nothing could be counted, which finds out why.
    const batch = counted.size === 0 ? rest.slice(0, 1) : rest;
    for (const [index, document] of batch.entries()) {
      const one = counted.get(document.id);
      // The first one is never put back, so that a slow database cannot make this count the same messages forever.
      if (index > 0 && (memory.refusals !== refusals || clock() >= until)) break;
      rest = rest.slice(1);
      if (one) memory.spare.count -= 1;
      yield one ? () => claimCounted(options, memory, one) : claimAlone(document.id);
    }
  }
}

/** Counts attempts at the first of these messages, and records them with their mailboxes. Returns the messages by their ids. */
async function countBatch(
  options: MailQueueOptions,
  memory: QueueMemory,
  documents: readonly QueryDocumentSnapshot[],
  until: number,
): Promise<ReadonlyMap<string, Counted>> {
  const { firestore, mailsPerHour, clock } = options;
  const now = clock();
  const shards = quotaShards(firestore, mailsPerHour, now, computeQuota('campaign', mailsPerHour));
  const shard = shards[randomInt(Math.max(1, shards.length))];
  if (shard === undefined) return new Map();
  const due = await findAllDue(firestore, documents, now);
  const mailboxes = [...new Set(due.map((one) => mailboxKey(one.due.email)))];
  if (mailboxes.length === 0) return new Map();
  const hour = quotaHour(now);
  if (memory.spare.hour !== hour) memory.spare = { hour, count: 0 };
  const { spare } = memory;
  const available = spare.count;
  // Another cursor must not use the same ones meanwhile.
  spare.count = 0;
  const record = firestore.collection(COLLECTIONS.mailboxes).doc(randomUUID());
  const { counted, added } = await transact(firestore, async (tx) => {
    const [hourAttempts, pause] = await tx.getAll(shard.ref, pauseRef(tx));
    const stored = (await tx.find(queryAttempts(tx, mailboxes))).flatMap(readAttempts);
    const made = countAttempts(hourAttempts);
    const counted: Counted[] = [];
    const attempts: MailboxAttempt[] = [];
    if (readPause(pause) !== null) return { counted, added: 0 };
    const size = Math.min(BATCH, Math.max(1, Math.floor(shard.share / SHARE_OF_SHARD)));
    const room = Math.min(size, available + Math.max(0, shard.share - made));
    for (const one of due) {
      const [mailbox, { message_key }] = [mailboxKey(one.due.email), one.message];
      const attemptTimes = otherTimes([...stored, ...attempts], mailbox, message_key);
      const usage = { attemptTimes, hourAttempts: counted.length, mailsPerHour: room };
      if (decideDelivery(usage, now) !== 'deliver') continue;
      counted.push(one);
      attempts.push({ mailbox, message_key, at: until });
    }
    const added = Math.max(0, counted.length - available);
    if (counted.length > 0) tx.set(record, attemptsDocument(attempts, until));
    if (added > 0) tx.set(shard.ref, hourDocument(made + added, mailsPerHour, now));
    return { counted, added };
  });
  spare.count += available + added;
  return new Map(counted.map((one) => [one.id, one]));
}

/** The messages that are due, with their people and campaigns, each of which is read once. */
async function findAllDue(firestore: Firestore, documents: readonly QueryDocumentSnapshot[], now: number) {
  const ids = documents.map(({ id }) => toSignupId(id)).filter((id) => id !== null);
  const signups = new Map(
    (await firestore.getAll(...ids.map((id) => personRefs(firestore, id).signup))).map((found) => [found.id, found]),
  );
  const reader = readOnce(firestore);
  const found: Counted[] = [];
  for (const document of documents) {
    const [signupId, message] = [toSignupId(document.id), readMessage(document)];
    const about = { signupId, signup: signups.get(signupId ?? ''), message };
    if (message === null || needsEnrolment(about)) continue;
    const due = await findDue(reader, about, now);
    if (due === null || due === 'dropped') continue;
    found.push({ id: document.id, due, message, updateTime: document.updateTime });
  }
  return found;
}

function readOnce(firestore: Firestore): DocumentReader {
  const read = new Map<string, ReturnType<DocumentReference['get']>>();
  return {
    collection: (name) => firestore.collection(name),
    getAll: (...refs) =>
      Promise.all(
        refs.map((ref) => {
          const snapshot = read.get(ref.path) ?? ref.get();
          read.set(ref.path, snapshot);
          return snapshot;
        }),
      ),
  };
}

/**
 * Marks a message as `sending` with one write and no read, on condition that it has not changed. Each change that forbids a message deletes it, except
 * that an address bounces or its campaign is paused: that is as if it happened after the claim.
 */
async function claimCounted(
  { firestore, clock, leaseMs }: MailQueueOptions,
  memory: QueueMemory,
  { id, due, message, updateTime }: Counted,
): Promise<Claim> {
  const claimToken = randomUUID();
  const tokens = newTokens(message.kind);
  const started = startMessage(message, { tokens, claimToken, now: clock(), leaseMs });
  const written = await updateUnchanged(messageRef(firestore, id), started, { message, updateTime });
  if (written === null) {
    memory.spare.count += 1;
    return 'taken';
  }
  const claimed = toClaimed(due, id, started, tokens);
  memory.started.set(claimed, { message: started, updateTime: written });
  return claimed;
}

/** Returns when the document was written; null if it has changed since, or is deleted. */
export async function updateUnchanged(
  ref: DocumentReference,
  changed: MessageDocument,
  { updateTime }: Pick<StartedMessage, 'updateTime' | 'message'>,
): Promise<Timestamp | null> {
  try {
    return (await ref.update({ ...changed }, { lastUpdateTime: updateTime })).writeTime;
  } catch (error) {
    if (!hasStatus(error, NOT_FOUND) && !hasStatus(error, FAILED_PRECONDITION)) throw error;
    // The response to the write may have been lost, and the client tried again.
    const stored = await ref.get();
    const isWritten = stored.get('claimed_by') === changed.claimed_by && stored.get('state') === changed.state;
    return isWritten ? (stored.updateTime ?? null) : null;
  }
}
