import {
  afterAttempt,
  afterLease,
  type Claim,
  type Clock,
  isBeingSent,
  kindToResend,
  MAIL_STATES,
  type MailQueue,
  maySignUpAgain,
  type ResendResult,
  requeued,
  type UnsentMail,
} from 'early-access-server/stores';
import {
  type DocumentReference,
  FieldPath,
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
} from 'firebase-admin/firestore';
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
import { changeState, findPerson, lastMessageId, stateAfter } from '../list/person.ts';
import { claimMessage, type MailQueueOptions } from './claim.ts';
import { quotaSpentUntil } from './hours.ts';
import {
  findMessages,
  type MessageDocument,
  messageRef,
  NOTICE,
  newMessageDocument,
  readMessage,
  toSignupId,
} from './message-document.ts';

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
  return withStorageErrors({
    mailsPerHour,
    claim: (id) => claimMessage(options, id),
    due() {
      const ids = dueIds(firestore, clock);
      return withStorageErrors({
        async claimNext() {
          const next = await ids.next();
          if (next.done) return 'nothing';
          const claimed = await claimMessage(options, next.value);
          return claimed === 'nothing' ? 'taken' : claimed;
        },
      });
    },
    async recordOutcome({ id, claimToken }, outcome) {
      const isBounce = outcome.state === 'failed' && outcome.bounced === true;
      const after = (message: MessageDocument, now: number) =>
        message.claimed_by === claimToken ? afterAttempt(message, outcome, now) : null;
      await transact(firestore, (tx) => changeMessage(tx, messages.doc(id), clock(), after, isBounce));
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
    quotaSpentUntil: () => quotaSpentUntil(firestore, clock()),
    resend: (email) => transact(firestore, (tx) => resendMessage(tx, email, confirm, clock())),
    async notify(recipients, notice) {
      const batch = firestore.batch();
      for (const recipient of recipients) {
        const data = JSON.stringify(notice);
        const message = newMessageDocument({ kind: 'notice', signup_id: null, recipient, data }, clock());
        batch.create(messages.doc(`${NOTICE}.${message.message_key}`), { ...message });
      }
      await batch.commit();
    },
    async isBeingSent(email) {
      const found = await readAtOnce(firestore, (tx) => findMessages(tx, signupId(email)));
      return found.some(({ message }) => isBeingSent(message, clock()));
    },
    async counts() {
      const counts = await Promise.all(
        MAIL_STATES.map(async (state) => [state, await countDocuments(messages.where('state', '==', state))] as const),
      );
      return new Map(counts.filter(([, count]) => count > 0));
    },
    unsent: () => readUnsent(firestore),
  });
}

/** Changes a message if it exists and `decide` returns a change. Returns whether it did. */
async function changeMessage(
  tx: Transaction,
  ref: DocumentReference,
  now: number,
  decide: (message: MessageDocument, now: number) => Partial<MessageDocument> | null,
  isBounce = false,
): Promise<boolean> {
  const message = readMessage(await tx.get(ref));
  const changes = message && decide(message, now);
  if (!changes) return false;
  const { signup_id, campaign_id, kind } = message;
  const person = isBounce && signup_id !== null ? await findPerson(tx, signup_id) : null;
  if (person !== null) await changeState(tx, person, 'bounce', now);
  const isRetried = changes.state === 'queued' && campaign_id !== null;
  const campaign = isRetried ? await tx.get(tx.collection(COLLECTIONS.campaigns).doc(campaign_id)) : null;
  // A notice is of no use once it is sent.
  const isOver = changes.state === 'sent' && kind === 'notice';
  if (isOver || campaign?.get('state') === 'cancelled') tx.delete(ref);
  else tx.update(ref, { ...changes });
  return true;
}

/** Messages in the query's order, without those of campaigns that are paused. */
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

/** Messages of campaigns come last. */
async function* dueIds(firestore: Firestore, clock: Clock): AsyncGenerator<string, void, void> {
  const queued = firestore.collection(COLLECTIONS.mails).where('state', '==', 'queued');
  const all = queued.select('next_attempt_at', 'campaign_id').orderBy('next_attempt_at');
  const due = all.where('next_attempt_at', '<=', clock());
  for await (const page of pages(due.where('campaign_id', '==', null), DUE_PAGE)) yield* page.map(({ id }) => id);
  for await (const document of findSendable(due, DUE_PAGE)) {
    if (document.get('campaign_id') !== null) yield document.id;
  }
}

async function resendMessage(tx: Transaction, email: string, confirm: boolean, now: number): Promise<ResendResult> {
  const person = await findPerson(tx, signupId(email));
  if (person === null) return 'not-signed-up';
  if (maySignUpAgain(person.state)) return 'unsubscribed';
  const ref = messageRef(tx, lastMessageId(person.document));
  const first = newMessageDocument({ kind: firstKind(confirm), signup_id: person.id }, now);
  const message = readMessage(await tx.get(ref)) ?? first;
  const next = requeued(message, now);
  if (next === null) return 'being-sent';
  await changeState(tx, person, 'retry', now);
  const kind = kindToResend(message.kind, stateAfter(person, 'retry') ?? person.state);
  const { signup_id, previous_id } = message;
  const other = newMessageDocument({ kind, signup_id, previous_id }, now);
  tx.set(ref, kind === message.kind ? { ...message, ...next } : other);
  return 'queued';
}

async function* readUnsent(firestore: Firestore): AsyncGenerator<UnsentMail, void, void> {
  const states = MAIL_STATES.filter((state) => state !== 'sent');
  const unsent = firestore.collection(COLLECTIONS.mails).where('state', 'in', states);
  for await (const page of pages(unsent.orderBy(FieldPath.documentId()), UNSENT_PAGE)) {
    const people = await Promise.all(
      page.map(({ id }) => toSignupId(id)).map((id) => (id === null ? null : findPerson(firestore, id))),
    );
    for (const [index, document] of page.entries()) {
      const message = readMessage(document);
      const email = people[index]?.email ?? message?.recipient ?? '(erased)';
      if (message === null) continue;
      const { state, attempts, next_attempt_at: nextAttemptAt, reason } = message;
      yield { email, state, attempts, nextAttemptAt, reason };
    }
  }
}
