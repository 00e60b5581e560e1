import { randomUUID } from 'node:crypto';
import {
  type AdmitResult,
  admission,
  type Cause,
  type ChosenPeople,
  changeLabels,
  chooseNewLink,
  confirmResult,
  inviteState,
  isPersonId,
  type ListStore,
  type Log,
  type MessageKind,
  type MessageTokens,
  newTokens,
  opensStatus,
  PENDING_MS,
  PERSON_STATES,
  type PersonState,
  REMINDER_AFTER_MS,
  type RedeemResult,
  type RenewalResult,
  readLabels,
  renewalResult,
  SIDE_KINDS,
  writeLabels,
} from 'early-access-server/internal';
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Query,
  Timestamp,
} from 'firebase-admin/firestore';
import { recordComplaint, recordJoining, recordUnsubscription } from '../campaigns/results.ts';
import {
  deleteFirst,
  pages,
  readAtOnce,
  signupId,
  type Transaction,
  transact,
  withStorageErrors,
} from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { erasePerson } from '../erase.ts';
import { integer, integerOrNull, textOrNull } from '../fields.ts';
import { findMessages } from '../message-document.ts';
import { filtered, findInList, indexedFilter, inOrder, matching } from '../people/queries.ts';
import { creditReferrer } from '../share/credit.ts';
import { askCorrection, renewCorrection, takeCorrection } from './corrections.ts';
import { enrolMissed } from './enrolment.ts';
import { importPeople } from './import.ts';
import { listImports, readPeopleOfImport } from './imports.ts';
import {
  changeState,
  findPerson,
  optOutMailbox,
  queueMessage,
  type StoredPerson,
  storedState,
  toStoredPerson,
} from './person.ts';
import { findLink, findTokens, markLinksUsed, storeTokens } from './tokens.ts';
import { inviteWave, listWaves, resumeWaves, type WaveOptions, withdrawWave } from './waves.ts';

export interface FirestoreListStore extends ListStore {
  /**
   * Completes interrupted invite waves and enrols browsers' signups whose trigger failed; called by a schedule. Starts
   * nothing new after `withinMs`. Calls may overlap.
   */
  resume(options: { readonly withinMs: number }): Promise<void>;
}

export interface ListOptions extends WaveOptions {
  readonly log: Log;
  readonly confirm: boolean;
  readonly welcomeEmail: boolean;
}

/** Link purposes by which `findOwner` finds people. */
const OWNERS = { unsubscribe: ['unsubscribe'], confirm: ['confirm', 'correct'] } as const;
/** A transaction may write 500 documents: the people, and the events for their endpoints. */
const RESTORED_AT_ONCE = 200;

/** Each change is one transaction; an invite wave has several. */
export function firestoreList(options: ListOptions): FirestoreListStore {
  const { firestore, clock } = options;
  return withStorageErrors({
    counts: () => readAtOnce(firestore, countStates),
    confirm: (hash, submissionId) => transact(firestore, (tx) => confirmSignup(tx, hash, submissionId, clock())),
    renewConfirmation: (hash) => transact(firestore, (tx) => renewConfirmation(tx, hash, clock())),
    requestLink: (email, kinds) =>
      transact(firestore, async (tx) => {
        const person = await findPerson(tx, signupId(email));
        // A signup that is not enrolled yet will still get its first message.
        const isEnrolled = person !== null && storedState(person.document) !== null;
        return isEnrolled && queueNewLink(tx, person, kinds, clock());
      }),
    async unsubscribe(hash, by) {
      const left = await transact(firestore, (tx) => unsubscribe(tx, hash, by, clock()));
      if (left === null) return 'unknown';
      await optOutMailbox(firestore, left.email, left.by, clock());
      return 'unsubscribed';
    },
    createTokens: (email) => transact(firestore, (tx) => createTokens(tx, email, clock())),
    async findOwner(hash, purpose) {
      const { token, person } = await findLink(firestore, hash, ...OWNERS[purpose]);
      return token !== null && opensStatus(token, clock()) ? (person?.publicId ?? null) : null;
    },
    async changePerson(email, event, by, report) {
      await transact(firestore, async (tx) => {
        const person = await findPerson(tx, signupId(email));
        if (person === null) return;
        await changeState(tx, person, event, by, clock());
        if (report?.isComplaint === true) await recordComplaint(tx, person.id, report.messageKey);
      });
      if (event === 'unsubscribe') await optOutMailbox(firestore, email, by, clock());
    },
    changeLabels: (email, change) =>
      transact(firestore, async (tx) => {
        const person = await findPerson(tx, signupId(email));
        if (person === null) return 'gone';
        const stored = textOrNull(person.document, 'labels');
        const labels = changeLabels(readLabels(stored), change);
        if (labels === 'full') return 'full';
        if (writeLabels(labels) === stored) return 'unchanged';
        tx.update(person.document.ref, { labels: writeLabels(labels) ?? FieldValue.delete() });
        return 'changed';
      }),
    correctAddress: (id, email, by = 'admin') => transact(firestore, (tx) => askCorrection(tx, id, email, by, clock())),
    tidyPending: (limit) => tidyPending(options, limit),
    invite: (wave) => inviteWave(options, wave),
    waves: (limit) => listWaves(firestore, limit),
    withdraw: (waveId) => withdrawWave(firestore, clock, waveId),
    async checkInvite(hash) {
      const { token, person } = await findLink(firestore, hash, 'invite');
      return inviteState(token, person, clock());
    },
    redeemInvite: (hash) => transact(firestore, (tx) => redeemInvite(tx, hash, clock())),
    admit: (email) => transact(firestore, (tx) => admit(tx, email, clock())),
    restoreBounced: (who) => restoreBounced(options, who),
    importPeople: (people, options) => importPeople(firestore, people, { ...options, now: clock() }),
    imports: (limit) => listImports(firestore, limit),
    peopleOfImport: (id) => readPeopleOfImport(firestore, id),
    async resume({ withinMs }) {
      const until = clock() + withinMs;
      const hasTime = () => clock() < until;
      await resumeWaves(firestore, clock, hasTime);
      await enrolMissed(firestore, clock, options, hasTime);
    },
  });
}

async function countStates(tx: Transaction): Promise<ReadonlyMap<PersonState, number>> {
  const signups = tx.collection(COLLECTIONS.signups);
  const [all, ...stored] = await Promise.all([
    tx.count(signups),
    ...PERSON_STATES.map((state) => tx.count(signups.where('state', '==', state))),
  ]);
  const missing = all - stored.reduce((sum, people) => sum + people, 0);
  const people = PERSON_STATES.map((state, index) => {
    const others = state === 'subscribed' ? missing : 0;
    return [state, (stored[index] ?? 0) + others] as const;
  });
  return new Map(people.filter(([, count]) => count > 0));
}

async function confirmSignup(tx: Transaction, hash: string, submissionId: string | null, now: number) {
  const { token, person } = await findLink(tx, hash, 'confirm', 'correct');
  const result = confirmResult(token, person, submissionId, now);
  if (result !== 'confirmed' || person === null || token === null) return result;
  if (token.purpose === 'correct') return (await takeCorrection(tx, person, now)) ? result : 'unknown';
  const credit = await creditReferrer(tx, person, person.email);
  if (!(await changeState(tx, person, 'confirm', token.kind, now, credit))) return 'unknown';
  await markLinksUsed(tx, person.id, 'confirm', now);
  return 'confirmed';
}

async function renewConfirmation(tx: Transaction, hash: string, now: number): Promise<RenewalResult> {
  const { token, person } = await findLink(tx, hash, 'confirm', 'correct');
  const result = renewalResult(token, person);
  if (result !== 'queued' || person === null) return result;
  if (token?.purpose === 'correct') {
    await renewCorrection(tx, person, now);
    return result;
  }
  await queueNewLink(tx, person, ['confirmation'], now);
  return result;
}

async function queueNewLink(
  tx: Transaction,
  person: StoredPerson,
  kinds: readonly MessageKind[],
  now: number,
): Promise<boolean> {
  const waiting = (await findMessages(tx, person.id)).filter(({ message }) => message.state === 'queued');
  const kind = chooseNewLink(
    kinds,
    person.state,
    waiting.map(({ message }) => message.kind),
  );
  if (kind === null) return false;
  const last = queueMessage(tx, person, { kind }, `${kind}.${randomUUID()}`, now);
  if (!SIDE_KINDS.some((side) => side === kind)) tx.update(person.document.ref, last);
  return true;
}

async function unsubscribe(tx: Transaction, hash: string, by: Cause | undefined, now: number) {
  const { token, person, campaignId } = await findLink(tx, hash, 'unsubscribe');
  if (token === null || person === null) return null;
  const cause = by ?? token.kind;
  const isChanged = await changeState(tx, person, 'unsubscribe', cause, now);
  if (isChanged && campaignId !== null) await recordUnsubscription(tx, person.id, campaignId);
  return { email: person.email, by: cause };
}

async function createTokens(tx: Transaction, email: string, now: number): Promise<MessageTokens | null> {
  const person = await findPerson(tx, signupId(email));
  if (person === null) return null;
  const tokens = newTokens('campaign');
  storeTokens(tx, tokens, 'campaign', person.id, now);
  return tokens;
}

async function redeemInvite(tx: Transaction, hash: string, now: number): Promise<RedeemResult> {
  const { token, person } = await findLink(tx, hash, 'invite');
  const result = inviteState(token, person, now);
  if (result !== 'valid') return { result };
  if (person === null || !(await join(tx, person, now))) return { result: 'gone' };
  return { result: 'redeemed', email: person.email, id: person.publicId };
}

async function admit(tx: Transaction, email: string, now: number): Promise<AdmitResult> {
  const person = await findPerson(tx, signupId(email));
  if (person === null) return { result: 'unknown' };
  const { state, publicId, document } = person;
  const links = (await findTokens(tx, person.id)).filter((token) => token.get('purpose') === 'invite');
  const expiry = links.length === 0 ? null : Math.max(...links.map((token) => integer(token, 'valid_until')));
  const result = admission({ state, invited_at: integerOrNull(document, 'invited_at') }, expiry, now);
  if (result !== 'admitted') return { result };
  if (state !== 'joined') await join(tx, person, now);
  return { result, id: publicId };
}

/** Records that an invited person has joined. Returns false if their state does not allow it. */
async function join(tx: Transaction, person: StoredPerson, now: number): Promise<boolean> {
  if (!(await changeState(tx, person, 'redeem', 'invite', now))) return false;
  await recordJoining(tx, person.id);
  await markLinksUsed(tx, person.id, 'invite', now);
  return true;
}

async function restoreBounced({ firestore, clock }: ListOptions, who: ChosenPeople): Promise<number> {
  const signups = firestore.collection(COLLECTIONS.signups);
  const refs =
    'ids' in who
      ? (await findInList(signups, 'person_id', who.ids.filter(isPersonId))).map(({ ref }) => ref)
      : await findBounced(signups, who);
  let restored = 0;
  for (let start = 0; start < refs.length; start += RESTORED_AT_ONCE) {
    const some = refs.slice(start, start + RESTORED_AT_ONCE);
    restored += await transact(firestore, async (tx) => {
      const people = (await tx.getAll(...some)).flatMap((document) => toStoredPerson(document) ?? []);
      const changes = await Promise.all(people.map((person) => changeState(tx, person, 'retry', 'admin', clock())));
      return changes.filter((isChanged) => isChanged).length;
    });
  }
  return restored;
}

/** Returns the first matching people whose address bounced. */
async function findBounced(signups: Query, { count, filter }: Extract<ChosenPeople, { count: number }>) {
  const bounced = indexedFilter({ ...filter, state: 'bounced' });
  const found: DocumentReference[] = [];
  for await (const page of pages(inOrder(filtered(signups, bounced, 'oldest'), 'oldest'), RESTORED_AT_ONCE)) {
    const people = await matching(signups.firestore, page, bounced);
    found.push(...people.map(({ document }) => document.ref));
    if (found.length >= count) break;
  }
  return found.slice(0, count);
}

async function tidyPending({ firestore, clock, log }: ListOptions, limit: number): Promise<number> {
  const now = clock();
  const corrections = firestore.collection(COLLECTIONS.mails).where('kind', '==', 'correction');
  await deleteFirst(corrections.where('changed_at', '<=', now - PENDING_MS), limit);
  const pending = firestore.collection(COLLECTIONS.signups).where('state', '==', 'pending').orderBy('created_at');
  const before = (age: number) => pending.where('created_at', '<=', Timestamp.fromMillis(now - age));
  let tidied = 0;
  const unconfirmed = await findFirst(before(PENDING_MS), limit, now - PENDING_MS);
  for (const document of unconfirmed) {
    const end =
      integerOrNull(document, 'unsubscribed_at') !== null
        ? transact(firestore, (tx) => unsubscribePending(tx, document, now))
        : erasePerson(firestore, String(document.get('email')), now, log, (person) => isUnconfirmed(person, document));
    if (await end) tidied += 1;
  }
  const rest = limit - unconfirmed.length;
  if (rest === 0) return tidied;
  const unreminded = before(REMINDER_AFTER_MS).where('reminded', '==', false);
  for (const document of await findFirst(unreminded, rest, now - REMINDER_AFTER_MS)) {
    if (await transact(firestore, (tx) => remind(tx, document, now))) tidied += 1;
  }
  return tidied;
}

/** Returns the first people who have been pending since `time`. After a new signup, its time counts. */
async function findFirst(query: Query, limit: number, time: number): Promise<readonly DocumentSnapshot[]> {
  const found: DocumentSnapshot[] = [];
  for await (const page of pages(query, limit)) {
    found.push(...page.filter((document) => Number(document.get('entered_at') ?? 0) <= time));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** Returns whether the person still has the signup that was found and is pending. */
function isUnconfirmed({ state, submissionId }: StoredPerson, found: DocumentSnapshot): boolean {
  return state === 'pending' && submissionId === toStoredPerson(found)?.submissionId;
}

async function unsubscribePending(tx: Transaction, found: DocumentSnapshot, now: number): Promise<boolean> {
  const person = toStoredPerson(await tx.get(found.ref));
  if (person === null || !isUnconfirmed(person, found)) return false;
  await changeState(tx, person, 'unsubscribe', 'time', now);
  return true;
}

async function remind(tx: Transaction, found: DocumentSnapshot, now: number): Promise<boolean> {
  const document = await tx.get(found.ref);
  const person = toStoredPerson(document);
  if (person?.state !== 'pending' || document.get('reminded') !== false) return false;
  const last = queueMessage(tx, person, { kind: 'reminder' }, 'reminder', now);
  tx.update(document.ref, { ...last, reminded: true });
  return true;
}
