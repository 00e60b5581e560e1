import { randomUUID } from 'node:crypto';
import { FieldPath } from 'firebase-admin/firestore';
import {
  afterAttempt,
  afterLease,
  isBeingSent,
  MAIL_STATES,
  type MailState,
  requeued,
} from '../../app/mail/message.ts';
import type { UnsentMail } from '../../app/mail/unsent-mail.ts';
import type { Claim, MailQueue, ResendResult } from '../store.ts';
import { COLLECTIONS, orStorageError, pages, signupId } from './database.ts';
import { type MailQueueOptions, mailClaim } from './mail-claim.ts';
import { quotaSpentUntil } from './mail-hours.ts';
import { type MessageDocument, newMessageDocument, readMessage } from './message-document.ts';

const DUE_PAGE = 80;
/** Firestore accepts so many ids in a query. */
const UNSENT_PAGE = 30;

export interface FirestoreMailQueue extends MailQueue {
  /**
   * Claims the message of one signup, as `claimNext` does. `nothing`: it is not signed up, sent, being sent, given up or not due yet. For
   * the trigger on new signups and for the browser's request: no other read than those of this signup is billed.
   */
  claim(signupId: string): Promise<Claim>;
}

/** Bills one read for each query that finds nothing: `expireLeases`, `nextDueAt`, and the first `claimNext` of a cursor. */
export function firestoreMailQueue(options: MailQueueOptions): FirestoreMailQueue {
  const { firestore, clock, mailsPerHour } = options;
  const messages = firestore.collection(COLLECTIONS.mails);
  const claim = mailClaim(options);

  /** Changes a message if it exists and `decide` returns a change. Returns whether it did. */
  function change(id: string, decide: (message: MessageDocument) => Partial<MessageDocument> | null): Promise<boolean> {
    return firestore.runTransaction(async (transaction) => {
      const message = readMessage(await transaction.get(messages.doc(id)));
      const changes = message && decide(message);
      if (!changes) return false;
      transaction.update(messages.doc(id), { ...changes });
      return true;
    });
  }

  async function* dueIds(): AsyncGenerator<string, void, void> {
    const due = messages.where('state', '==', 'queued').where('next_attempt_at', '<=', clock());
    for await (const page of pages(due.orderBy('next_attempt_at'), DUE_PAGE)) yield* page.map(({ id }) => id);
  }

  async function* unsent(): AsyncGenerator<UnsentMail, void, void> {
    const states = MAIL_STATES.filter((state) => state !== 'sent');
    for await (const page of pages(
      messages.where('state', 'in', states).orderBy(FieldPath.documentId()),
      UNSENT_PAGE,
    )) {
      const signups = await firestore.getAll(
        ...page.map(({ id }) => firestore.collection(COLLECTIONS.signups).doc(id)),
      );
      for (const [index, document] of page.entries()) {
        const message = readMessage(document);
        const email = String(signups[index]?.get('email') ?? '(erased)');
        if (message === null) continue;
        const { state, attempts, next_attempt_at: nextAttemptAt, reason } = message;
        yield { email, state, attempts, nextAttemptAt, reason };
      }
    }
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
        await change(id, (message) =>
          message.claimed_by === claimToken ? afterAttempt(message, outcome, clock()) : null,
        );
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
    nextDueAt: () =>
      orStorageError(async () => {
        const queued = messages.where('state', '==', 'queued').orderBy('next_attempt_at').limit(1);
        const nextAttemptAt: unknown = (await queued.get()).docs[0]?.get('next_attempt_at');
        return typeof nextAttemptAt === 'number' ? nextAttemptAt : null;
      }),
    quotaSpentUntil: () => orStorageError(() => quotaSpentUntil(firestore, clock())),
    resend: (email) =>
      orStorageError(() =>
        firestore.runTransaction(async (transaction): Promise<ResendResult> => {
          const id = signupId(email);
          const signup = firestore.collection(COLLECTIONS.signups).doc(id);
          const [signedUp, snapshot] = await transaction.getAll(signup, messages.doc(id));
          if (!signedUp?.exists) return 'not-signed-up';
          const message = readMessage(snapshot) ?? newMessageDocument(randomUUID(), clock());
          const next = requeued(message, clock());
          if (next === null) return 'being-sent';
          transaction.set(messages.doc(id), { ...message, ...next });
          return 'queued';
        }),
      ),
    isBeingSent: (email) =>
      orStorageError(async () => {
        const message = readMessage(await messages.doc(signupId(email)).get());
        return message !== null && isBeingSent(message, clock());
      }),
    counts: () =>
      orStorageError(async () => {
        const counts = new Map<MailState, number>();
        for (const state of MAIL_STATES) {
          const { count } = (await messages.where('state', '==', state).count().get()).data();
          if (count > 0) counts.set(state, count);
        }
        return counts;
      }),
    unsent,
  };
}
