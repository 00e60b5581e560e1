import {
  type Clock,
  type InviteWave,
  isPersonId,
  type NewWave,
  type PeopleFilter,
  type PeopleStore,
} from 'early-access-server/stores';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type Timestamp,
  type Transaction,
} from 'firebase-admin/firestore';
import { countDocuments, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { readMessage } from '../mail/message-document.ts';
import { filtered, findInList, inOrder, isScanned, matching } from '../people/queries.ts';
import { findPerson, prepareEvent, queueMessage, toStoredPerson, withoutMessages } from './person.ts';

/** People whom one transaction invites, or whose invitation it takes back: two documents each, of the 500 that one commit may write. */
const BATCH = 200;

/** The filter is removed once the wave is complete, because its search may be an address. */
const COMPLETE = { remaining: 0, filter: null, ids: null, position: null };

/**
 * Invite waves, `invite_waves/{number}`. The call that stores a number first creates the wave, which then invites people in batches. Each
 * batch updates the remaining number in its transaction, so the next call or the sweep can resume an interrupted wave.
 */
export function inviteWaves(firestore: Firestore, people: PeopleStore, clock: Clock) {
  const waves = firestore.collection(COLLECTIONS.inviteWaves);
  const mails = firestore.collection(COLLECTIONS.mails);
  const signups = firestore.collection(COLLECTIONS.signups);

  async function invite({ after, who }: NewWave): Promise<InviteWave | 'outdated' | 'nobody'> {
    await resume(() => true);
    const newest = (await waves.orderBy('number', 'desc').limit(1).get()).docs[0]?.id ?? null;
    if (newest !== after) return 'outdated';
    const whom = 'count' in who ? await firstPeople(who) : await chosenPeople(who.ids);
    if (whom === null) return 'nobody';
    const number = Number(after ?? 0) + 1;
    const ref = waves.doc(String(number));
    const isCreated = await transact(firestore, async (transaction) => {
      if ((await transaction.get(ref)).exists) return false;
      transaction.create(ref, { number, created_at: clock(), people: 0, ...whom });
      return true;
    });
    if (!isCreated) return 'outdated';
    await complete(ref, () => true);
    return toWave(await ref.get());
  }

  /** Returns a wave's selection of people; null if it is empty. */
  async function firstPeople({ count, filter }: { readonly count: number; readonly filter: PeopleFilter }) {
    const subscribed = { ...filter, state: 'subscribed' } as const;
    let after: string | null = null;
    do {
      const page = await people.list({ ...subscribed, sort: 'oldest', limit: 1, after });
      if (page.people.length > 0) return { remaining: count, filter: subscribed, ids: null, position: null };
      after = page.next;
    } while (after !== null);
    return null;
  }

  async function chosenPeople(ids: readonly string[]) {
    const found = await findInList(signups, 'person_id', ids.filter(isPersonId));
    const whom = found.filter((document) => document.get('state') === 'subscribed').map(({ id }) => id);
    return whom.length === 0 ? null : { remaining: whom.length, filter: null, ids: whom, position: null };
  }

  async function resume(hasTime: () => boolean): Promise<void> {
    for (const { ref } of (await waves.where('remaining', '>', 0).get()).docs) await complete(ref, hasTime);
  }

  async function complete(ref: DocumentReference, hasTime: () => boolean): Promise<void> {
    while (hasTime() && (await transact(firestore, (transaction) => inviteSome(transaction, ref)))) {}
  }

  /** Invites a batch. Returns whether more people remain. */
  async function inviteSome(transaction: Transaction, ref: DocumentReference): Promise<boolean> {
    const wave = await transaction.get(ref);
    const remaining = Number(wave.get('remaining'));
    if (!(remaining > 0)) return false;
    const { documents, next } = await readBatch(transaction, wave, remaining);
    const now = clock();
    const changes = await Promise.all(
      documents.map(toStoredPerson).map(async (person) => {
        const change = person && (await prepareEvent(firestore, transaction, person, 'invite', now));
        return person && change ? [{ person, change }] : [];
      }),
    );
    const invited = changes.flat();
    for (const { person, change } of invited) {
      const about = { kind: 'invite', wave_id: ref.id } as const;
      const last = queueMessage(firestore, transaction, person, about, { name: `invite.${ref.id}`, now });
      change({ ...last, wave_id: ref.id });
    }
    const left = next === null ? 0 : remaining - invited.length;
    transaction.update(ref, {
      people: FieldValue.increment(invited.length),
      ...(left > 0 ? { ...next, remaining: left } : COMPLETE),
    });
    return left > 0;
  }

  /** Returns the next people of a wave and the position after them. `next` is null if these were the last. */
  async function readBatch(
    transaction: Transaction,
    wave: DocumentSnapshot,
    remaining: number,
  ): Promise<{
    readonly documents: readonly DocumentSnapshot[];
    readonly next: { readonly ids: readonly string[] } | { readonly position: readonly [Timestamp, string] } | null;
  }> {
    const [ids, filter, position] = [wave.get('ids'), wave.get('filter'), wave.get('position')];
    if (Array.isArray(ids)) {
      const documents = await transaction.getAll(...ids.slice(0, BATCH).map((id) => signups.doc(String(id))));
      const rest = ids.slice(BATCH);
      return { documents, next: rest.length === 0 ? null : { ids: rest } };
    }
    const limit = isScanned(filter) ? BATCH : Math.min(BATCH, remaining);
    const all = inOrder(filtered(signups, filter, 'oldest'), 'oldest');
    const { docs } = await transaction.get((position === null ? all : all.startAfter(...position)).limit(limit));
    // The query has found exactly them unless they have to be read to know if they match.
    const found = isScanned(filter) ? await matching(firestore, transaction, docs, filter) : null;
    const documents = found === null ? docs : found.slice(0, remaining).map(({ document }) => document);
    const last = docs.at(-1);
    const isEnd = docs.length < limit || last === undefined;
    return { documents, next: isEnd ? null : { position: [last.get('created_at'), last.id] } };
  }

  async function toWave(wave: DocumentSnapshot): Promise<InviteWave> {
    const messages = mails.where('wave_id', '==', wave.id);
    const joinedPeople = signups.where('wave_id', '==', wave.id).where('state', '==', 'joined');
    const [sent = 0, queued = 0, failed = 0, joined = 0] = await Promise.all(
      [
        messages.where('state', '==', 'sent'),
        messages.where('state', 'in', ['queued', 'sending']),
        messages.where('state', 'in', ['failed', 'unknown']),
        joinedPeople,
      ].map((query) => countDocuments(query)),
    );
    const [created_at, invited] = [Number(wave.get('created_at')), Number(wave.get('people'))];
    return { id: wave.id, created_at, people: invited, sent, queued, failed, joined };
  }

  /** Takes back a batch of invitations. */
  function withdrawSome(ref: DocumentReference): Promise<{ readonly seen: number; readonly withdrawn: number }> {
    return transact(firestore, async (transaction) => {
      const unsent = mails.where('wave_id', '==', ref.id).where('state', '==', 'queued').where('attempts', '==', 0);
      const { docs } = await transaction.get(unsent.limit(BATCH));
      const wave = await transaction.get(ref);
      const withdrawals = await Promise.all(
        docs.map(async (document) => {
          const message = readMessage(document);
          const person = await findPerson(firestore, transaction, message?.signup_id ?? '');
          const change = person && (await prepareEvent(firestore, transaction, person, 'withdraw', clock()));
          return { document, message, person, change };
        }),
      );
      for (const { document, message, person, change } of withdrawals) {
        transaction.delete(document.ref);
        if (message === null || person === null) continue;
        change?.({ ...withoutMessages(person, new Map([[document.id, message]])), wave_id: null });
      }
      const withdrawn = withdrawals.filter(({ change }) => change !== null).length;
      if (wave.exists) transaction.update(ref, { people: FieldValue.increment(-withdrawn), ...COMPLETE });
      return { seen: docs.length, withdrawn };
    });
  }

  return {
    invite,
    resume,
    async list(limit: number): Promise<readonly InviteWave[]> {
      const { docs } = await waves.orderBy('number', 'desc').limit(limit).get();
      return Promise.all(docs.map(toWave));
    },
    async withdraw(waveId: string): Promise<number> {
      if (!/^\d+$/.test(waveId)) return 0;
      const ref = waves.doc(waveId);
      let withdrawn = 0;
      for (;;) {
        const some = await withdrawSome(ref);
        withdrawn += some.withdrawn;
        if (some.seen < BATCH) return withdrawn;
      }
    },
  };
}
