import { randomUUID } from 'node:crypto';
import {
  type Clock,
  type ConfirmResult,
  confirmResult,
  inviteState,
  type LinkPurpose,
  type ListStore,
  type Log,
  newTokens,
  PENDING_MS,
  PERSON_STATES,
  type PeopleStore,
  type PersonState,
  REMINDER_AFTER_MS,
  type RedeemResult,
  type RenewalResult,
  renewalResult,
} from 'early-access-server/stores';
import { type DocumentSnapshot, type Firestore, Timestamp } from 'firebase-admin/firestore';
import { countDocuments, type DocumentReader, orStorageError, signupId, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { erasePerson } from '../erase.ts';
import { findMessages } from '../mail/message-document.ts';
import { enrolMissed } from './enrolment.ts';
import { importPeople } from './import.ts';
import { findPerson, prepareEvent, queueMessage, type StoredPerson, toStoredPerson } from './person.ts';
import { findToken, prepareUse, storeTokens } from './tokens.ts';
import { inviteWaves } from './waves.ts';

export interface FirestoreListStore extends ListStore {
  /**
   * Completes interrupted invite waves and enrols browsers' signups whose trigger failed, for a schedule. Starts nothing new after
   * `withinMs`. Calls may overlap.
   */
  resume(options: { readonly withinMs: number }): Promise<void>;
}

export interface ListOptions {
  readonly firestore: Firestore;
  readonly people: PeopleStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly confirm: boolean;
}

/** Each change is one transaction; an invite wave is several. */
export function firestoreList({ firestore, people, clock, log, confirm }: ListOptions): FirestoreListStore {
  const signups = firestore.collection(COLLECTIONS.signups);
  const waves = inviteWaves(firestore, people, clock);

  async function findLink(reader: DocumentReader, hash: string, purpose: LinkPurpose) {
    const token = await findToken(firestore, reader, hash, purpose);
    return { token, person: token && (await findPerson(firestore, reader, token.signupId)) };
  }

  async function counts(): Promise<ReadonlyMap<PersonState, number>> {
    return transact(
      firestore,
      async (transaction) => {
        const [all, ...stored] = await Promise.all([
          countDocuments(signups, transaction),
          ...PERSON_STATES.map((state) => countDocuments(signups.where('state', '==', state), transaction)),
        ]);
        const missing = all - stored.reduce((sum, people) => sum + people, 0);
        const people = PERSON_STATES.map((state, index) => {
          const others = state === 'subscribed' ? missing : 0;
          return [state, (stored[index] ?? 0) + others] as const;
        });
        return new Map(people.filter(([, count]) => count > 0));
      },
      { readOnly: true },
    );
  }

  function confirmSignup(hash: string, submissionId: string | null): Promise<ConfirmResult> {
    return transact(firestore, async (transaction) => {
      const now = clock();
      const { token, person } = await findLink(transaction, hash, 'confirm');
      const result = confirmResult(token, person, submissionId, now);
      if (result !== 'confirmed' || person === null) return result;
      const change = await prepareEvent(firestore, transaction, person, 'confirm', now);
      if (change === null) return 'unknown';
      const use = await prepareUse(firestore, transaction, person.id, 'confirm');
      change();
      use(now);
      return 'confirmed';
    });
  }

  function renewConfirmation(hash: string): Promise<RenewalResult> {
    return transact(firestore, async (transaction) => {
      const { person } = await findLink(transaction, hash, 'confirm');
      const result = renewalResult(person);
      if (result !== 'queued' || person === null) return result;
      const messages = await findMessages(firestore, transaction, person.id);
      if (messages.some(({ message }) => message.state === 'queued')) return result;
      const name = `confirmation.${randomUUID()}`;
      const last = queueMessage(firestore, transaction, person, { kind: 'confirmation' }, { name, now: clock() });
      transaction.update(person.document.ref, last);
      return result;
    });
  }

  function unsubscribe(hash: string): Promise<'unsubscribed' | 'unknown'> {
    return transact(firestore, async (transaction) => {
      const { person } = await findLink(transaction, hash, 'unsubscribe');
      if (person === null) return 'unknown';
      const change = await prepareEvent(firestore, transaction, person, 'unsubscribe', clock());
      change?.();
      return 'unsubscribed';
    });
  }

  function createUnsubscribeToken(email: string): Promise<string | null> {
    return transact(firestore, async (transaction) => {
      const person = await findPerson(firestore, transaction, signupId(email));
      if (person === null) return null;
      const tokens = newTokens('campaign');
      storeTokens(firestore, transaction, tokens, { kind: 'campaign', signupId: person.id, now: clock() });
      return tokens.unsubscribe;
    });
  }

  /** Ends a signup that was not confirmed in time. Returns whether it was still pending. */
  async function endPending(document: DocumentSnapshot, now: number): Promise<boolean> {
    const isUnconfirmed = ({ state, submissionId }: StoredPerson) =>
      state === 'pending' && submissionId === document.get('submission_id');
    if (document.get('was_unsubscribed') !== true) {
      return (await erasePerson(firestore, String(document.get('email')), now, log, isUnconfirmed)) !== null;
    }
    return transact(firestore, async (transaction) => {
      const person = toStoredPerson(await transaction.get(document.ref));
      if (person === null || !isUnconfirmed(person)) return false;
      const change = await prepareEvent(firestore, transaction, person, 'unsubscribe', now);
      change?.();
      return true;
    });
  }

  async function tidyPending(limit: number): Promise<number> {
    const now = clock();
    const before = (age: number) =>
      signups.where('state', '==', 'pending').where('created_at', '<=', Timestamp.fromMillis(now - age));
    let tidied = 0;
    const unconfirmed = await before(PENDING_MS).orderBy('created_at').limit(limit).get();
    for (const document of unconfirmed.docs) {
      if (await endPending(document, now)) tidied += 1;
    }
    const unreminded = before(REMINDER_AFTER_MS).where('reminded', '==', false);
    const rest = limit - unconfirmed.docs.length;
    if (rest === 0) return tidied;
    for (const { ref } of (await unreminded.orderBy('created_at').limit(rest).get()).docs) {
      const isReminded = await transact(firestore, async (transaction) => {
        const document = await transaction.get(ref);
        const person = toStoredPerson(document);
        if (person?.state !== 'pending' || document.get('reminded') !== false) return false;
        const last = queueMessage(firestore, transaction, person, { kind: 'reminder' }, { name: 'reminder', now });
        transaction.update(ref, { ...last, reminded: true });
        return true;
      });
      if (isReminded) tidied += 1;
    }
    return tidied;
  }

  function redeemInvite(hash: string): Promise<RedeemResult> {
    return transact(firestore, async (transaction) => {
      const { token, person } = await findLink(transaction, hash, 'invite');
      const result = inviteState(token, person, clock());
      if (result !== 'valid') return { result };
      const change = person && (await prepareEvent(firestore, transaction, person, 'redeem', clock()));
      if (person === null || change === null) return { result: 'gone' };
      const use = await prepareUse(firestore, transaction, person.id, 'invite');
      change();
      use(clock());
      return { result: 'redeemed', email: person.email, id: person.publicId };
    });
  }

  return {
    counts,
    confirm: confirmSignup,
    renewConfirmation,
    unsubscribe,
    createUnsubscribeToken,
    tidyPending: (limit) => orStorageError(() => tidyPending(limit)),
    invite: (wave) => orStorageError(() => waves.invite(wave)),
    waves: (limit) => orStorageError(() => waves.list(limit)),
    withdraw: (waveId) => orStorageError(() => waves.withdraw(waveId)),
    checkInvite: (hash) =>
      orStorageError(async () => {
        const { token, person } = await findLink(firestore, hash, 'invite');
        return inviteState(token, person, clock());
      }),
    redeemInvite,
    importPeople: (people, { welcome }) => importPeople(firestore, people, { welcome, now: clock() }),
    resume: ({ withinMs }) =>
      orStorageError(async () => {
        const until = clock() + withinMs;
        const hasTime = () => clock() < until;
        await waves.resume(hasTime);
        await enrolMissed(firestore, clock, confirm, hasTime);
      }),
  };
}
