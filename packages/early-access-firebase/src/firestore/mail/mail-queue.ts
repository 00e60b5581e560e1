import {
  afterAttempt,
  afterLease,
  afterOutcome,
  type Claim,
  chooseResend,
  decided,
  domainKey,
  endPause,
  isBeingSent,
  isBounce,
  isPaused,
  MAIL_STATES,
  type MailQueue,
  type MailState,
  type MessageOutcome,
  mayReceive,
  maySignUpAgain,
  type ResendResult,
  readTrouble,
  requeued,
  stateToRepeat,
  type UnknownDecision,
  type UnknownDecisionResult,
  type UnsentFilter,
  type UnsentMail,
  type WaitingMail,
} from 'early-access-server/internal';
import {
  type DocumentReference,
  FieldPath,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
} from 'firebase-admin/firestore';
import { readCampaignState } from '../campaigns/content.ts';
import { countComplaints } from '../campaigns/results.ts';
import {
  countDocuments,
  pages,
  readAtOnce,
  signupId,
  type Transaction,
  transact,
  withStorageErrors,
} from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integer, textOrNull } from '../fields.ts';
import { firstKind } from '../list/enrolment.ts';
import { changeState, findPerson, lastMessageId, readStateBeforeBounce, storedState } from '../list/person.ts';
import {
  findMessages,
  type MessageDocument,
  messageRef,
  newMessageDocument,
  readMessage,
  toSignupId,
} from '../message-document.ts';
import { claimMessage, type MailQueueOptions, type Turn } from './claim.ts';
import { quotaSpentUntil } from './hours.ts';
import { pauseRef, readPause, savePause } from './pause.ts';

const DUE_PAGE = 80;
/** Firestore's limit of ids in a query. */
const UNSENT_PAGE = 30;

export interface FirestoreMailQueue extends MailQueue {
  /**
   * Claims the first message of one signup, like `claimNext`. `nothing`: the address is not signed up, or its message
   * is sent, being sent, failed or not due yet. Called by the trigger on new signups and by the browser's request,
   * because it only bills reads of this signup.
   */
  claim(signupId: string): Promise<Claim>;
}

/** Queries that find nothing bill one read: `expireLeases`, `findNextDue`, and the first `claimNext` of a cursor. */
export function firestoreMailQueue(options: MailQueueOptions): FirestoreMailQueue {
  const { firestore, clock, mailsPerHour, confirm } = options;
  const messages = firestore.collection(COLLECTIONS.mails);
  return withStorageErrors({
    mailsPerHour,
    claim: (id) => claimUnlessAvoided(options, id, 'now'),
    due() {
      const claims = claimDue(options);
      return withStorageErrors({
        async claimNext() {
          const next = await claims.next();
          if (next.done) return 'nothing';
          const claimed = await next.value();
          return claimed === 'nothing' ? 'taken' : claimed;
        },
      });
    },
    async recordOutcome(claimed, outcome) {
      const { id, claimToken } = claimed;
      const after = (message: MessageDocument, now: number, isPaused = false) =>
        message.claimed_by === claimToken ? afterAttempt(message, outcome, now, isPaused) : null;
      const attempt = { outcome, domain: domainKey(claimed.email) };
      await transact(firestore, (tx) => changeMessage(tx, messages.doc(id), clock(), after, attempt));
    },
    async expireLeases() {
      const sending = messages.where('state', '==', 'sending').where('lease_until', '<', clock());
      let expired = 0;
      for await (const page of pages(sending.orderBy('lease_until'), DUE_PAGE)) {
        for (const { ref } of page) {
          if (await transact(firestore, (tx) => changeMessage(tx, ref, clock(), afterLease))) expired += 1;
        }
      }
      return expired;
    },
    async findNextDue() {
      const queued = messages.where('state', '==', 'queued').orderBy('next_attempt_at');
      const { value: first } = await findSendable(queued, 1).next();
      return first ? integer(first, 'next_attempt_at') : null;
    },
    quotaSpentUntil: (kind) => quotaSpentUntil(firestore, clock(), kind),
    resend: (email) => transact(firestore, (tx) => resendMessage(tx, email, confirm, clock())),
    async isBeingSent(email) {
      const found = await readAtOnce(firestore, (tx) => findMessages(tx, signupId(email)));
      return found.some(({ message }) => isBeingSent(message, clock()));
    },
    async counts(kind) {
      const all = kind === undefined ? messages : messages.where('kind', '==', kind);
      const counts = await Promise.all(
        MAIL_STATES.map(async (state) => [state, await countDocuments(all.where('state', '==', state))] as const),
      );
      return new Map(counts.filter(([, count]) => count > 0));
    },
    async backlog() {
      const count = (state: MailState) => countDocuments(messages.where('state', '==', state));
      const [queued, sending, failed, unknown] = await Promise.all([
        count('queued'),
        count('sending'),
        count('failed'),
        count('unknown'),
      ]);
      return { queued, sending, failed, unknown };
    },
    waiting: () => countWaiting(firestore, clock()),
    async pause() {
      const pause = readPause(await pauseRef(firestore).get());
      return pause !== null && pause.refusals > 0 ? pause : null;
    },
    trouble: async () => readTrouble(readPause(await pauseRef(firestore).get())),
    endPause: () =>
      transact(firestore, async (tx) => {
        const now = clock();
        const pause = readPause(await tx.get(pauseRef(tx)));
        savePause(tx, endPause(pause, now), pause);
        return isPaused(pause, now);
      }),
    complaints: () => countComplaints(firestore, clock()),
    unsent: (filter) => readUnsent(firestore, filter),
    decideUnknown: (id, decision) => transact(firestore, (tx) => decideUnknown(tx, id, decision, clock())),
  });
}

interface EndedAttempt {
  readonly outcome: MessageOutcome;
  /** The key of the recipient's domain (`domainKey`). */
  readonly domain: string;
}

/**
 * Changes a message if it exists and `decide` returns a change. `attempt`: the attempt that has ended, if any. Returns
 * whether the message was changed.
 */
async function changeMessage(
  tx: Transaction,
  ref: DocumentReference,
  now: number,
  decide: (message: MessageDocument, now: number, isPaused?: boolean) => Partial<MessageDocument> | null,
  attempt: EndedAttempt | null = null,
): Promise<boolean> {
  const [stored, paused] = await tx.getAll(ref, ...(attempt === null ? [] : [pauseRef(tx)]));
  const message = readMessage(stored);
  if (message === null || decide(message, now) === null) return false;
  const { signup_id, campaign_id, kind } = message;
  let isPausedNow = false;
  if (attempt !== null) {
    const { outcome, domain } = attempt;
    const isRefused = outcome.state === 'failed' || outcome.state === 'queued';
    const person = isRefused && signup_id !== null ? await findPerson(tx, signup_id) : null;
    const attempted = { messageKey: message.message_key, person: person?.publicId ?? message.message_key, domain };
    const before = readPause(paused);
    const after = afterOutcome(before, outcome, attempted, now);
    savePause(tx, after, before);
    isPausedNow = isPaused(after, now);
    if (person !== null && isBounce(outcome, kind)) await changeState(tx, person, 'bounce', 'mail-server', now);
  }
  const changes = decide(message, now, isPausedNow);
  if (changes === null) return false;
  const isRetried = changes.state === 'queued' && campaign_id !== null;
  const campaign = isRetried ? await tx.get(tx.collection(COLLECTIONS.campaigns).doc(campaign_id)) : null;
  // Notices are deleted once they are sent.
  const isOver = changes.state === 'sent' && kind === 'notice';
  if (isOver || campaign?.get('state') === 'cancelled') tx.delete(ref);
  else tx.update(ref, { ...changes });
  return true;
}

/** Returns the messages in the query's order, without the messages of paused campaigns. */
async function* findSendable(queued: Query, pageSize: number): AsyncGenerator<QueryDocumentSnapshot, void, void> {
  let sending: ReadonlySet<unknown> | null = null;
  for await (const page of pages(queued, pageSize)) {
    for (const document of page) {
      const campaign = textOrNull(document, 'campaign_id');
      if (campaign !== null) sending ??= await campaignsBeingSent(queued.firestore);
      if (campaign === null || sending?.has(campaign)) yield document;
    }
  }
}

async function campaignsBeingSent(firestore: Firestore): Promise<ReadonlySet<unknown>> {
  const { docs } = await firestore.collection(COLLECTIONS.campaigns).where('state', '==', 'sending').select().get();
  return new Set(docs.map(({ id }) => id));
}

/** Yields functions that claim due messages: campaigns after other messages, and suspected domains last. */
async function* claimDue(options: MailQueueOptions): AsyncGenerator<() => Promise<Claim>, void, void> {
  const queued = options.firestore.collection(COLLECTIONS.mails).where('state', '==', 'queued');
  const due = queued.orderBy('next_attempt_at').where('next_attempt_at', '<=', options.clock());
  const avoided: string[] = [];
  const pending = new Set<Promise<void>>();
  const claimFirst = (id: string) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pending.add(promise);
    return async (): Promise<Claim> => {
      try {
        const claim = await claimMessage(options, id, 'first');
        if (claim !== 'avoided') return claim;
        avoided.push(id);
        return 'taken';
      } finally {
        pending.delete(promise);
        resolve();
      }
    };
  };
  for await (const page of pages(due.where('campaign_id', '==', null), DUE_PAGE)) {
    for (const { id } of page) yield claimFirst(id);
  }
  for await (const document of findSendable(due, DUE_PAGE)) {
    if (document.get('campaign_id') !== null) yield claimFirst(document.id);
  }
  // A pending claim may still add a message to `avoided`.
  await Promise.all(pending);
  for (const id of avoided) yield () => claimUnlessAvoided(options, id, 'last');
}

async function claimUnlessAvoided(options: MailQueueOptions, id: string, turn: Turn): Promise<Claim> {
  const claim = await claimMessage(options, id, turn);
  return claim === 'avoided' ? 'taken' : claim;
}

async function resendMessage(tx: Transaction, email: string, confirm: boolean, now: number): Promise<ResendResult> {
  const person = await findPerson(tx, signupId(email));
  if (person === null) return 'not-signed-up';
  if (maySignUpAgain(person.state)) return 'unsubscribed';
  const ref = messageRef(tx, lastMessageId(person.document));
  const first = newMessageDocument({ kind: firstKind(confirm), signup_id: person.id }, now);
  const stored = readMessage(await tx.get(ref));
  const isImported = person.document.get('imported') === true;
  const message = stored ?? first;
  // A signup that is not enrolled yet will still get its first message.
  const last = storedState(person.document) === null ? message.kind : (stored?.kind ?? null);
  const bouncedFrom = readStateBeforeBounce(person.document);
  const kind = chooseResend(last, { state: person.state, bouncedFrom, isImported });
  if (kind === null) return 'no-email';
  const next = requeued(message, now);
  if (next === null) return 'being-sent';
  await changeState(tx, person, 'retry', 'admin', now);
  const { signup_id, previous_id } = message;
  const other = newMessageDocument({ kind, signup_id, previous_id }, now);
  tx.set(ref, kind === message.kind ? { ...message, ...next } : other);
  return 'queued';
}

async function countWaiting(firestore: Firestore, now: number): Promise<WaitingMail> {
  const queued = firestore.collection(COLLECTIONS.mails).where('state', '==', 'queued');
  const planned = queued.where('next_attempt_at', '>', now);
  const paused = await firestore.collection(COLLECTIONS.campaigns).where('state', '==', 'paused').select().get();
  const countHeld = async (query: Query) => {
    const counts = await Promise.all(paused.docs.map(({ id }) => countDocuments(query.where('campaign_id', '==', id))));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const [all, ofPaused, later, laterOfPaused, first] = await Promise.all([
    countDocuments(queued),
    countHeld(queued),
    countDocuments(planned),
    countHeld(planned),
    findSendable(planned.orderBy('next_attempt_at'), 1).next(),
  ]);
  const laterOfOthers = later - laterOfPaused;
  return {
    due: Math.max(0, all - ofPaused - laterOfOthers),
    planned: laterOfOthers,
    planned_at: first.value ? integer(first.value, 'next_attempt_at') : null,
    of_paused_campaigns: ofPaused,
  };
}

async function decideUnknown(
  tx: Transaction,
  id: string,
  decision: UnknownDecision,
  now: number,
): Promise<UnknownDecisionResult> {
  const messages = tx.collection(COLLECTIONS.mails);
  const [document] = await tx.find(messages.where('message_key', '==', id).where('state', '==', 'unknown'));
  const message = readMessage(document);
  const next = message && decided(message, decision, now);
  if (document === undefined || next === null) return 'known';
  const { kind, signup_id, campaign_id } = { ...message };
  if (decision === 'sent') {
    // Notices are deleted once they are sent.
    if (kind === 'notice') tx.delete(document.ref);
    else tx.update(document.ref, { ...next });
    return 'done';
  }
  const person = signup_id == null ? null : await findPerson(tx, signup_id);
  if (signup_id != null && (person === null || kind === undefined || !mayReceive(person.state, kind)))
    return 'not-wanted';
  const campaign = campaign_id == null ? null : await tx.get(tx.collection(COLLECTIONS.campaigns).doc(campaign_id));
  const state = campaign?.exists ? stateToRepeat(readCampaignState(campaign)) : null;
  if (campaign !== null && state === null) return 'cancelled';
  tx.update(document.ref, { ...next });
  if (campaign !== null && state !== campaign.get('state')) tx.update(campaign.ref, { state });
  return 'done';
}

async function* readUnsent(
  firestore: Firestore,
  { kind, state, campaign }: UnsentFilter = {},
): AsyncGenerator<UnsentMail, void, void> {
  const states = MAIL_STATES.filter((name) => name !== 'sent' && name === (state ?? name));
  const equal = Object.entries({ kind, campaign_id: campaign }).filter(([, value]) => value !== undefined);
  const unsent = equal.reduce<Query>(
    (query, [field, value]) => query.where(field, '==', value),
    firestore.collection(COLLECTIONS.mails).where('state', 'in', states),
  );
  for await (const page of pages(unsent.orderBy(FieldPath.documentId()), UNSENT_PAGE)) {
    const people = await Promise.all(
      page.map(({ id }) => toSignupId(id)).map((id) => (id === null ? null : findPerson(firestore, id))),
    );
    for (const [index, document] of page.entries()) {
      const message = readMessage(document);
      const email = message?.recipient ?? people[index]?.email ?? '(erased)';
      if (message === null) continue;
      const { message_key: id, kind, state, attempts, next_attempt_at: nextAttemptAt, reason } = message;
      yield { id, email, kind, state, attempts, nextAttemptAt, reason };
    }
  }
}
