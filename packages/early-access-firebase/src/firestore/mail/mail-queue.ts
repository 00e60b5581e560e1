import {
  afterAttempt,
  afterLease,
  afterOutcome,
  type Claim,
  chooseResend,
  endPause,
  isBeingSent,
  isBounce,
  isPaused,
  MAIL_STATES,
  type MailQueue,
  type MailState,
  type MessageKind,
  type MessageOutcome,
  maySignUpAgain,
  type ResendResult,
  requeued,
  type UnsentMail,
  type WaitingMail,
} from 'early-access-server/stores';
import { FieldPath, type Query, type QueryDocumentSnapshot } from 'firebase-admin/firestore';
import { countDocuments, orStorageError, pages, signupId, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integer, textOrNull } from '../fields.ts';
import { firstKind } from '../list/enrolment.ts';
import { findPerson, lastMessageId, prepareEvent, readStateBeforeBounce, storedState } from '../list/person.ts';
import { claimMessage, type MailQueueOptions } from './claim.ts';
import { quotaSpentUntil } from './hours.ts';
import {
  findMessages,
  type MessageDocument,
  NOTICE,
  newMessageDocument,
  readMessage,
  toSignupId,
} from './message-document.ts';
import { pauseRef, readPause, savePause } from './pause.ts';

const DUE_PAGE = 80;
/** The most ids that Firestore accepts in a query. */
const UNSENT_PAGE = 30;

export interface FirestoreMailQueue extends MailQueue {
  /**
   * Claims the first message of one signup, as `claimNext` does. `nothing`: it is not signed up, sent, being sent, given up or not due
   * yet. The trigger on new signups and the browser's request call it, because only reads of this signup are billed.
   */
  claim(signupId: string): Promise<Claim>;
}

/** Bills one read for each query that finds nothing: `expireLeases`, `findNextDue`, and the first `claimNext` of a cursor. */
export function firestoreMailQueue(options: MailQueueOptions): FirestoreMailQueue {
  const { firestore, clock, mailsPerHour, confirm } = options;
  const messages = firestore.collection(COLLECTIONS.mails);
  const campaigns = firestore.collection(COLLECTIONS.campaigns);
  const claim = (id: string) => claimMessage(options, id);

  /** Changes a message if it exists and `decide` returns a change. `outcome`: of its attempt, if that is why. Returns whether it did. */
  function change(
    id: string,
    decide: (message: MessageDocument) => Partial<MessageDocument> | null,
    outcome: MessageOutcome | null = null,
  ): Promise<boolean> {
    return transact(firestore, async (transaction) => {
      const refs = outcome === null ? [] : [pauseRef(firestore)];
      const [stored, paused] = await transaction.getAll(messages.doc(id), ...refs);
      const message = readMessage(stored);
      const changes = message && decide(message);
      if (!changes) return false;
      const { signup_id: signupId, message_key: messageKey } = message;
      const isFailure = outcome?.state === 'failed' && signupId !== null;
      const person = isFailure ? await findPerson(firestore, transaction, signupId) : null;
      const isBounced = person !== null && outcome !== null && isBounce(outcome);
      const bounce = isBounced ? await prepareEvent(firestore, transaction, person, 'bounce', clock()) : null;
      const { campaign_id: campaignId } = message;
      const isRetried = changes.state === 'queued' && campaignId !== null;
      const campaign = isRetried ? await transaction.get(campaigns.doc(campaignId)) : null;
      // A notice is of no use once it is sent.
      const isOver = changes.state === 'sent' && message.kind === 'notice';
      const pause = readPause(paused);
      const attempted = { messageKey, person: person?.publicId ?? messageKey };
      if (outcome !== null) savePause(firestore, transaction, afterOutcome(pause, outcome, attempted, clock()), pause);
      bounce?.();
      if (isOver || campaign?.get('state') === 'cancelled') transaction.delete(messages.doc(id));
      else transaction.update(messages.doc(id), { ...changes });
      return true;
    });
  }

  async function campaignsBeingSent(): Promise<ReadonlySet<unknown>> {
    const { docs } = await campaigns.where('state', '==', 'sending').select().get();
    return new Set(docs.map(({ id }) => id));
  }

  /** Messages in the query's order, without those of campaigns that are paused. */
  async function* findSendable(queued: Query, pageSize: number): AsyncGenerator<QueryDocumentSnapshot, void, void> {
    let sending: ReadonlySet<unknown> | null = null;
    for await (const page of pages(queued, pageSize)) {
      for (const document of page) {
        const campaign = textOrNull(document, 'campaign_id');
        if (campaign !== null) sending ??= await campaignsBeingSent();
        if (campaign === null || sending?.has(campaign)) yield document;
      }
    }
  }

  /** Messages of campaigns come last. */
  async function* dueIds(): AsyncGenerator<string, void, void> {
    const queued = messages.where('state', '==', 'queued').select('next_attempt_at', 'campaign_id');
    const due = queued.where('next_attempt_at', '<=', clock()).orderBy('next_attempt_at');
    for await (const page of pages(due.where('campaign_id', '==', null), DUE_PAGE)) yield* page.map(({ id }) => id);
    for await (const document of findSendable(due, DUE_PAGE)) {
      if (document.get('campaign_id') !== null) yield document.id;
    }
  }

  async function* unsent(kind?: MessageKind): AsyncGenerator<UnsentMail, void, void> {
    const states = MAIL_STATES.filter((state) => state !== 'sent');
    const all = messages.where('state', 'in', states);
    const chosen = kind === undefined ? all : all.where('kind', '==', kind);
    for await (const page of pages(chosen.orderBy(FieldPath.documentId()), UNSENT_PAGE)) {
      const people = await Promise.all(
        page.map(({ id }) => toSignupId(id)).map((id) => (id === null ? null : findPerson(firestore, firestore, id))),
      );
      for (const [index, document] of page.entries()) {
        const message = readMessage(document);
        const email = people[index]?.email ?? message?.recipient ?? '(erased)';
        if (message === null) continue;
        const { message_key: id, kind, state, attempts, next_attempt_at: nextAttemptAt, reason } = message;
        yield { id, email, kind, state, attempts, nextAttemptAt, reason };
      }
    }
  }

  async function waiting(): Promise<WaitingMail> {
    const now = clock();
    const queued = messages.where('state', '==', 'queued');
    const planned = queued.where('next_attempt_at', '>', now);
    const { docs } = await campaigns.where('state', '==', 'paused').select().get();
    const held = docs.map(({ id }) => id);
    const countHeld = async (query: Query) => {
      const counts = await Promise.all(held.map((id) => countDocuments(query.where('campaign_id', '==', id))));
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

  return {
    mailsPerHour,
    claim: (id) => orStorageError(() => claim(id)),
    due() {
      const ids = dueIds();
      return {
        claimNext: () =>
          orStorageError(async () => {
            const next = await ids.next();
            if (next.done) return 'nothing';
            const claimed = await claim(next.value);
            return claimed === 'nothing' ? 'taken' : claimed;
          }),
      };
    },
    recordOutcome: ({ id, claimToken }, outcome) =>
      orStorageError(async () => {
        const after = (message: MessageDocument) =>
          message.claimed_by === claimToken ? afterAttempt(message, outcome, clock()) : null;
        await change(id, after, outcome);
      }),
    expireLeases: () =>
      orStorageError(async () => {
        const lapsed = messages
          .where('state', '==', 'sending')
          .where('lease_until', '<', clock())
          .orderBy('lease_until');
        let expired = 0;
        for await (const page of pages(lapsed, DUE_PAGE)) {
          for (const { id } of page) if (await change(id, (message) => afterLease(message, clock()))) expired += 1;
        }
        return expired;
      }),
    findNextDue: () =>
      orStorageError(async () => {
        const queued = messages.where('state', '==', 'queued').orderBy('next_attempt_at');
        const { value: first } = await findSendable(queued, 1).next();
        return first ? integer(first, 'next_attempt_at') : null;
      }),
    quotaSpentUntil: () => orStorageError(() => quotaSpentUntil(firestore, clock())),
    resend: (email) =>
      transact(firestore, async (transaction): Promise<ResendResult> => {
        const person = await findPerson(firestore, transaction, signupId(email));
        if (person === null) return 'not-signed-up';
        if (maySignUpAgain(person.state)) return 'unsubscribed';
        const ref = messages.doc(lastMessageId(person.document));
        // The signup of a browser that is not enrolled yet has its first message still to come.
        const isEnrolled = storedState(person.document) !== null;
        const first = newMessageDocument({ kind: firstKind(confirm), signup_id: person.id }, clock());
        const message = readMessage(await transaction.get(ref)) ?? (isEnrolled ? null : first);
        const kind = chooseResend(message?.kind ?? null, person.state, readStateBeforeBounce(person.document));
        if (message === null || kind === null) return 'no-email';
        const next = requeued(message, clock());
        if (next === null) return 'being-sent';
        const retry = await prepareEvent(firestore, transaction, person, 'retry', clock());
        retry?.();
        const { signup_id, previous_id } = message;
        const other = newMessageDocument({ kind, signup_id, previous_id }, clock());
        transaction.set(ref, kind === message.kind ? { ...message, ...next } : other);
        return 'queued';
      }),
    notify: (recipients, notice) =>
      orStorageError(async () => {
        const batch = firestore.batch();
        for (const recipient of recipients) {
          const data = JSON.stringify(notice);
          const message = newMessageDocument({ kind: 'notice', signup_id: null, recipient, data }, clock());
          batch.create(messages.doc(`${NOTICE}.${message.message_key}`), { ...message });
        }
        await batch.commit();
      }),
    isBeingSent: (email) =>
      transact(
        firestore,
        async (transaction) =>
          (await findMessages(firestore, transaction, signupId(email))).some(({ message }) =>
            isBeingSent(message, clock()),
          ),
        { readOnly: true },
      ),
    counts: () =>
      orStorageError(async () => {
        const counts = await Promise.all(
          MAIL_STATES.map(async (state): Promise<[MailState, number]> => {
            return [state, await countDocuments(messages.where('state', '==', state))];
          }),
        );
        return new Map(counts.filter(([, count]) => count > 0));
      }),
    waiting: () => orStorageError(waiting),
    pause: () =>
      orStorageError(async () => {
        const pause = readPause(await pauseRef(firestore).get());
        return pause !== null && pause.refusals > 0 ? pause : null;
      }),
    endPause: () =>
      transact(firestore, async (transaction) => {
        const pause = readPause(await transaction.get(pauseRef(firestore)));
        savePause(firestore, transaction, endPause(pause, clock()), pause);
        return isPaused(pause, clock());
      }),
    unsent,
  };
}
