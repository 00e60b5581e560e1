import {
  type ChosenPeople,
  type Clock,
  INVITE_ORDERS,
  type InviteWave,
  isPersonId,
  type NewWave,
  type PeopleStore,
} from 'early-access-server/internal';
import {
  type DocumentData,
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
} from 'firebase-admin/firestore';
import { countDocuments, type Transaction, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { enumValue, text } from '../fields.ts';
import { readMessage } from '../message-document.ts';
import { filtered, findInList, indexedFilter, inOrder, isScanned, matching, ORDERS } from '../people/queries.ts';
import { changeState, findPerson, queueMessage, stateAfter, toStoredPerson, withoutMessages } from './person.ts';

/**
 * People per transaction that are invited or whose invitation is withdrawn: two documents each, of the 500 that a
 * commit may write.
 */
const BATCH = 200;

/** The filter is removed when the wave is complete, because its search may be an address. */
const COMPLETE = { remaining: 0, filter: null, ids: null, position: null };

export interface WaveOptions {
  readonly firestore: Firestore;
  readonly people: PeopleStore;
  readonly clock: Clock;
}

/**
 * Creates an invite wave, `invite_waves/{number}`, unless another call uses the number first, and invites its people in
 * batches. Each batch updates the remaining number in its transaction, so that the next call or the sweep can resume an
 * interrupted wave.
 */
export async function inviteWave({ firestore, people, clock }: WaveOptions, { after, who, into }: NewWave) {
  const waves = firestore.collection(COLLECTIONS.inviteWaves);
  await resumeWaves(firestore, clock, () => true);
  const newest = (await waves.orderBy('number', 'desc').limit(1).get()).docs[0]?.id ?? null;
  if (newest !== after) return 'outdated';
  const whom = 'count' in who ? await firstPeople(people, who) : await chosenPeople(firestore, who.ids);
  if (whom === null) return 'nobody';
  const number = Number(after ?? 0) + 1;
  const joined = into !== undefined && /^\d+$/.test(into) ? waves.doc(into) : null;
  if (joined !== null && (await transact(firestore, (tx) => joinWave(tx, joined, whom)))) {
    await completeWave(joined, clock, () => true);
    return toWave(await joined.get());
  }
  const ref = waves.doc(String(number));
  const isCreated = await transact(firestore, async (tx) => {
    if ((await tx.get(ref)).exists) return false;
    tx.create(ref, { number, created_at: clock(), people: 0, ...whom });
    return true;
  });
  if (!isCreated) return 'outdated';
  await completeWave(ref, clock, () => true);
  return toWave(await ref.get());
}

/** Adds people to a completed wave. Returns false if there is none. */
async function joinWave(tx: Transaction, ref: DocumentReference, whom: DocumentData): Promise<boolean> {
  const wave = await tx.get(ref);
  if (!wave.exists || Number(wave.get('remaining')) > 0) return false;
  tx.update(ref, whom);
  return true;
}

type FirstPeople = Extract<ChosenPeople, { readonly count: number }>;

/** Returns a wave's selection of people; null if it is empty. */
async function firstPeople(people: PeopleStore, { count, filter, order = 'date' }: FirstPeople) {
  const subscribed = { ...filter, state: 'subscribed' } as const;
  for await (const _person of people.all(subscribed)) {
    return { remaining: count, order, filter: JSON.stringify(subscribed), ids: null, position: null };
  }
  return null;
}

async function chosenPeople(firestore: Firestore, personIds: readonly string[]) {
  const signups = firestore.collection(COLLECTIONS.signups);
  const found = await findInList(signups, 'person_id', personIds.filter(isPersonId));
  const ids = found.filter((document) => document.get('state') === 'subscribed').map(({ id }) => id);
  return ids.length === 0 ? null : { remaining: ids.length, filter: null, ids, position: null };
}

export async function resumeWaves(firestore: Firestore, clock: Clock, hasTime: () => boolean): Promise<void> {
  const interrupted = await firestore.collection(COLLECTIONS.inviteWaves).where('remaining', '>', 0).get();
  for (const { ref } of interrupted.docs) await completeWave(ref, clock, hasTime);
}

async function completeWave(ref: DocumentReference, clock: Clock, hasTime: () => boolean): Promise<void> {
  while (hasTime() && (await transact(ref.firestore, (tx) => inviteBatch(tx, ref, clock())))) {}
}

/** Invites a batch. Returns whether more people remain. */
async function inviteBatch(tx: Transaction, ref: DocumentReference, now: number): Promise<boolean> {
  const wave = await tx.get(ref);
  const remaining = Number(wave.get('remaining'));
  if (!(remaining > 0)) return false;
  const { documents, next } = await readBatch(tx, wave, remaining);
  const people = documents.map(toStoredPerson).filter((person) => person !== null);
  const invited = people.filter((person) => stateAfter(person, 'invite') !== null);
  await Promise.all(
    invited.map((person) => {
      const about = { kind: 'invite', wave_id: ref.id } as const;
      const last = queueMessage(tx, person, about, `invite.${ref.id}`, now);
      return changeState(tx, person, 'invite', 'admin', now, { ...last, wave_id: ref.id });
    }),
  );
  const left = next === null ? 0 : remaining - invited.length;
  tx.update(ref, {
    people: FieldValue.increment(invited.length),
    ...(left > 0 ? { ...next, remaining: left } : COMPLETE),
  });
  return left > 0;
}

/**
 * Returns the next people of a wave and the fields that say where to continue. `next` is null if these were the last.
 */
async function readBatch(tx: Transaction, wave: DocumentSnapshot, remaining: number) {
  const signups = tx.collection(COLLECTIONS.signups);
  const [ids, position] = [wave.get('ids'), wave.get('position')];
  if (Array.isArray(ids)) {
    const documents = await tx.getAll(...ids.slice(0, BATCH).map((id) => signups.doc(String(id))));
    const rest = ids.slice(BATCH);
    return { documents, next: rest.length === 0 ? null : { ids: rest } };
  }
  const filter = indexedFilter(JSON.parse(text(wave, 'filter')));
  const order = enumValue(wave, 'order', INVITE_ORDERS);
  const sort = order === 'date' ? 'oldest' : order;
  // Only ordering by time allows an index for the period.
  const isRead = isScanned(filter) || (sort !== 'oldest' && (filter.from ?? filter.to) !== null);
  const limit = isRead ? BATCH : Math.min(BATCH, remaining);
  const all = inOrder(filtered(signups, filter, sort), sort);
  const found = await tx.find((position === null ? all : all.startAfter(...position)).limit(limit));
  // If no document has to be read, the query has found exactly these people.
  const documents = isRead
    ? (await matching(tx, found, filter)).slice(0, remaining).map(({ document }) => document)
    : found;
  const last = found.at(-1);
  const isEnd = found.length < limit || last === undefined;
  const values = ORDERS[sort].map(([field]) => last?.get(field));
  return { documents, next: isEnd ? null : { position: [...values, last.id] } };
}

export async function listWaves(firestore: Firestore, limit: number): Promise<readonly InviteWave[]> {
  const newest = firestore.collection(COLLECTIONS.inviteWaves).orderBy('number', 'desc').limit(limit);
  return Promise.all((await newest.get()).docs.map(toWave));
}

async function toWave(wave: DocumentSnapshot): Promise<InviteWave> {
  const { firestore } = wave.ref;
  const messages = firestore.collection(COLLECTIONS.mails).where('wave_id', '==', wave.id);
  const people = firestore.collection(COLLECTIONS.signups).where('wave_id', '==', wave.id);
  const [sent, queued, failed, joined] = await Promise.all([
    countDocuments(messages.where('state', '==', 'sent')),
    countDocuments(messages.where('state', 'in', ['queued', 'sending'])),
    countDocuments(messages.where('state', 'in', ['failed', 'unknown'])),
    countDocuments(people.where('state', '==', 'joined')),
  ]);
  const [created_at, invited] = [Number(wave.get('created_at')), Number(wave.get('people'))];
  return { id: wave.id, created_at, people: invited, sent, queued, failed, joined };
}

/** Withdraws the wave's invitations without any attempt. Returns their number. */
export async function withdrawWave(firestore: Firestore, clock: Clock, waveId: string): Promise<number> {
  if (!/^\d+$/.test(waveId)) return 0;
  const ref = firestore.collection(COLLECTIONS.inviteWaves).doc(waveId);
  for (let withdrawn = 0; ; ) {
    const some = await transact(firestore, (tx) => withdrawBatch(tx, ref, clock()));
    withdrawn += some.withdrawn;
    if (some.seen < BATCH) return withdrawn;
  }
}

async function withdrawBatch(tx: Transaction, ref: DocumentReference, now: number) {
  const messages = tx.collection(COLLECTIONS.mails).where('wave_id', '==', ref.id);
  const unsent = await tx.find(messages.where('state', '==', 'queued').where('attempts', '==', 0).limit(BATCH));
  const wave = await tx.get(ref);
  const withdrawals = await Promise.all(
    unsent.map(async (document) => {
      tx.delete(document.ref);
      const message = readMessage(document);
      const person = await findPerson(tx, message?.signup_id ?? '');
      if (message === null || person === null) return false;
      const last = withoutMessages(person, new Map([[document.id, message]]));
      return changeState(tx, person, 'withdraw', 'admin', now, { ...last, wave_id: null });
    }),
  );
  const withdrawn = withdrawals.filter((isWithdrawn) => isWithdrawn).length;
  if (wave.exists) tx.update(ref, { people: FieldValue.increment(-withdrawn), ...COMPLETE });
  return { seen: unsent.length, withdrawn };
}
