import { randomInt, randomUUID } from 'node:crypto';
import {
  afterBounce,
  beginAttempt,
  beginProbe,
  type Claim,
  type ClaimedMessage,
  type Clock,
  computeQuota,
  decideDelivery,
  domainKey,
  domainsToAvoid,
  findFreeTime,
  linksToStore,
  MAILS_PER_MAILBOX_AND_DAY,
  type MessageKind,
  type MessageTokens,
  mailboxKey,
  mayAttempt,
  newTokens,
  postponed,
  readNotice,
} from 'early-access-server/internal';
import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import { type Transaction, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integer } from '../fields.ts';
import { enrol } from '../list/enrolment.ts';
import { findPerson, isUnsubscribedId, withoutMessages } from '../list/person.ts';
import { storeTokens } from '../list/tokens.ts';
import { attemptsRef, otherTimes, readAttempts, withAttempt } from '../mailbox.ts';
import { type MessageDocument, messageRef } from '../message-document.ts';
import {
  type DueMessage,
  findContent,
  findDue,
  type MessageDocuments,
  needsEnrolment,
  readDocuments,
} from './due-message.ts';
import { countAttempts, hourDocument, type QuotaShard, quotaShards } from './hours.ts';
import { pauseRef, readPause, savePause } from './pause.ts';

export interface MailQueueOptions {
  readonly firestore: Firestore;
  readonly mailsPerHour: number;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly confirm: boolean;
  readonly welcomeEmail: boolean;
}

/**
 * `now`: the caller asks for this message, even if others wait. `first`: messages to suspected domains are `avoided`,
 * so that others are sent first. `last`: no others wait.
 */
export type Turn = 'now' | 'first' | 'last';

/** Identifies one attempt, even if its transaction is repeated. */
interface Attempt {
  readonly kind: MessageKind;
  readonly claimToken: string;
  readonly tokens: MessageTokens;
  readonly shard: QuotaShard;
  /** There may be a pause. When a pause is over, one message is tried. */
  readonly readsPause: boolean;
  readonly turn: Turn;
}

/** Claims one message. Only returns `avoided` if its turn is `first`. */
export async function claimMessage(options: MailQueueOptions, id: string, turn: Turn): Promise<Claim | 'avoided'> {
  // The documents of people who unsubscribed are in the same collection.
  if (isUnsubscribedId(id)) return 'nothing';
  for (;;) {
    const claim = await tryToClaim(options, id, await readEnrolled(options, id), turn);
    if (claim !== 'full') return claim;
  }
}

/** Reads the documents of a message without locks. Enrols a signup that a browser has just written. */
async function readEnrolled(options: MailQueueOptions, id: string): Promise<MessageDocuments> {
  const { firestore, clock } = options;
  const { documents } = await readDocuments(firestore, id);
  if (documents.signupId === null || !needsEnrolment(documents)) return documents;
  await enrol(firestore, documents.signupId, { ...options, now: clock() });
  return (await readDocuments(firestore, id)).documents;
}

/**
 * Decides whether the message may be sent now, and starts the attempt in a transaction. Reads without locks first,
 * because most calls find nothing to do. Returns `full` if the documents have changed in between.
 */
async function tryToClaim(
  options: MailQueueOptions,
  id: string,
  documents: MessageDocuments,
  turn: Turn,
): Promise<Claim | 'avoided' | 'full'> {
  const { firestore, mailsPerHour, clock } = options;
  const now = clock();
  const due = await findDue(firestore, documents, now);
  if (due === 'dropped') await transact(firestore, (tx) => dropMessage(tx, id, now));
  if (due === null || due === 'dropped') return 'nothing';
  const shards = quotaShards(firestore, mailsPerHour, now);
  const { hours, attemptTimes, pause } = await readAttempted(firestore, due, shards);
  const domain = domainKey(due.email);
  if (turn === 'first' && domainsToAvoid(pause, now).has(domain)) return 'avoided';
  if (!mayAttempt(pause, domain, now)) return 'paused';
  const hourAttempts = hours.reduce((sum, hour) => sum + countAttempts(hour), 0);
  const quota = computeQuota(due.message.kind, mailsPerHour);
  const decision = decideDelivery({ attemptTimes, hourAttempts, mailsPerHour: quota }, now);
  if (decision === 'mailbox-full') await postpone(firestore, id, due.email, attemptTimes, now);
  if (decision !== 'deliver') return decision;
  const shard = chooseShard(shards, hours, quotaShards(firestore, mailsPerHour, now, quota));
  if (shard === null) return 'quota-spent';
  const { kind } = due.message;
  const attempt = { kind, claimToken: randomUUID(), tokens: newTokens(kind), shard, readsPause: pause !== null, turn };
  return transact(firestore, (tx) => startAttempt(options, tx, id, attempt));
}

/**
 * Reads the attempts of this hour and, unless the message is a notice, to the mailbox: notices to admins are not
 * limited per mailbox. Reads the pause of the queue in the same call.
 */
async function readAttempted(firestore: Firestore, due: DueMessage, shards: readonly QuotaShard[]) {
  const record = due.person === null ? [] : [attemptsRef(firestore, due.email)];
  const refs = [pauseRef(firestore), ...shards.map(({ ref }) => ref), ...record];
  const [pause, ...stored] = await firestore.getAll(...refs);
  const attempts = record.length === 0 ? [] : readAttempts(stored.at(-1));
  const hours = stored.slice(0, shards.length);
  return { hours, attemptTimes: otherTimes(attempts, due.message.message_key), pause: readPause(pause) };
}

/** Returns a random part of the hour's quota with room for this kind of message; null if there is none. */
function chooseShard(shards: readonly QuotaShard[], hours: readonly DocumentSnapshot[], shares: readonly QuotaShard[]) {
  const withRoom = shards
    .map(({ ref }, index) => {
      const share = shares.find((shard) => shard.ref.path === ref.path)?.share ?? 0;
      return { ref, share, hasRoom: countAttempts(hours[index]) < share };
    })
    .filter(({ hasRoom }) => hasRoom);
  return withRoom[randomInt(Math.max(1, withRoom.length))] ?? null;
}

/** Returns `full` if others have used up this part of the quota or the mailbox's limit. */
async function startAttempt(
  { mailsPerHour, clock, leaseMs }: MailQueueOptions,
  tx: Transaction,
  id: string,
  attempt: Attempt,
): Promise<Claim | 'full'> {
  const { kind, claimToken, tokens, shard, readsPause, turn } = attempt;
  const now = clock();
  const { documents, others } = await readDocuments(tx, id, shard.ref, ...(readsPause ? [pauseRef(tx)] : []));
  const [hour, paused] = others;
  const stored = documents.message;
  // The response to the commit was lost, and the client ran the transaction again.
  if (stored?.claimed_by === claimToken) {
    const own = await findContent(tx, { ...documents, message: stored });
    return own === null || own === 'dropped' ? 'nothing' : toClaimed(own, id, stored, tokens);
  }
  // The address was erased and signed up again since the first read.
  if (needsEnrolment(documents)) return 'full';
  const due = await findDue(tx, documents, now);
  if (due === null || due === 'dropped' || due.message.kind !== kind) return 'nothing';
  const pause = readPause(paused);
  // Another claim may have started the probe.
  const domain = domainKey(due.email);
  if (!mayAttempt(pause, domain, now)) return 'paused';
  // While others wait, a refusal by a suspected domain provides no new information.
  const isProbe = turn !== 'now' || pause?.refusals !== 0 || !domainsToAvoid(pause, now).has(domain);
  const record = attemptsRef(tx, due.email);
  const { message_key } = due.message;
  const attempts = due.person === null ? [] : readAttempts(await tx.get(record));
  const hourAttempts = countAttempts(hour);
  const attemptTimes = otherTimes(attempts, message_key);
  if (decideDelivery({ attemptTimes, hourAttempts, mailsPerHour: shard.share }, now) !== 'deliver') return 'full';
  const started = startMessage(due.message, { tokens, claimToken, now, leaseMs });
  tx.set(messageRef(tx, id), started);
  if (isProbe) savePause(tx, beginProbe(pause, started.message_key, now, leaseMs), pause);
  if (due.person !== null) {
    if (kind !== 'campaign') storeTokens(tx, tokens, kind, due.person.id, now);
    tx.set(record, withAttempt(attempts, { message_key, at: now }));
  }
  tx.set(shard.ref, hourDocument(hourAttempts + 1, mailsPerHour, now));
  return toClaimed(due, id, started, tokens);
}

/**
 * Postpones the message to the first day with room for its mailbox. Planned messages are not counted, so simultaneous
 * callers may choose the same day; the claim on that day then postpones the excess again.
 */
async function postpone(firestore: Firestore, id: string, email: string, attemptTimes: readonly number[], now: number) {
  const mailbox = mailboxKey(email);
  const planned = await firestore
    .collection(COLLECTIONS.mails)
    .where('mailbox', '==', mailbox)
    .where('state', '==', 'queued')
    .where('next_attempt_at', '>', now)
    .orderBy('next_attempt_at', 'desc')
    .limit(MAILS_PER_MAILBOX_AND_DAY)
    .get();
  const times = planned.docs.map((document) => integer(document, 'next_attempt_at'));
  const until = findFreeTime([...attemptTimes, ...times], now);
  await transact(firestore, async (tx) => {
    const due = await findDue(tx, (await readDocuments(tx, id)).documents, now);
    if (due === null || due === 'dropped') return;
    tx.set(messageRef(tx, id), { ...due.message, ...postponed(due.message, due.message.kind, until, now), mailbox });
  });
}

/** Deletes a message that may no longer be sent. */
async function dropMessage(tx: Transaction, id: string, now: number): Promise<void> {
  const { documents } = await readDocuments(tx, id);
  const { signupId, message } = documents;
  if (message === null || (await findDue(tx, documents, now)) !== 'dropped') return;
  const person = signupId === null ? null : await findPerson(tx, signupId);
  if (person?.state === 'bounced' && message.kind !== 'campaign') {
    tx.update(messageRef(tx, id), { ...afterBounce(message, now) });
    return;
  }
  if (person !== null) tx.update(person.document.ref, withoutMessages(person, new Map([[id, message]])));
  tx.delete(messageRef(tx, id));
}

/** Returns the message as an attempt starts. Kinds other than campaigns store their links in separate documents. */
function startMessage(message: MessageDocument, { tokens, claimToken, now, leaseMs }: StartedAttempt): MessageDocument {
  const hashes = message.kind === 'campaign' ? linksToStore(tokens, message.kind, now).map(({ hash }) => hash) : [];
  const links = [...message.links, ...hashes];
  return { ...message, ...beginAttempt(message, now, leaseMs), claimed_by: claimToken, links };
}

interface StartedAttempt {
  readonly tokens: MessageTokens;
  readonly claimToken: string;
  readonly now: number;
  readonly leaseMs: number;
}

function toClaimed(
  { email, fields, language, campaign }: DueMessage,
  id: string,
  message: MessageDocument,
  tokens: MessageTokens,
): ClaimedMessage {
  const { kind, message_key: messageKey, attempts, claimed_by: claimToken } = message;
  const notice = message.data === null ? null : readNotice(JSON.parse(message.data));
  return { id, email, fields, language, campaign, tokens, kind, messageKey, attempts, claimToken, notice };
}
