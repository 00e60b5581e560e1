import {
  type Clock,
  type Credit,
  chooseLink,
  type EnteredSignup,
  isEntered,
  MAX_BROUGHT,
  newShareCode,
  type OwnLink,
  type PersonReferrals,
  type ShareLink,
  type SharePerson,
  type ShareStore,
} from 'early-access-server/internal';
import type { DocumentSnapshot, Firestore, Query } from 'firebase-admin/firestore';
import { countDocuments, signupId, type Transaction, transact, withStorageErrors } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { integerOrNull, text, textOrNull } from '../fields.ts';
import { enrol } from '../list/enrolment.ts';
import {
  findPerson,
  getPublicId,
  personRefs,
  readStateBeforeBounce,
  storedState,
  toStoredPerson,
} from '../list/person.ts';
import { findInList, inOrder, MAX_COUNTED, MAX_VALUES } from '../people/queries.ts';
import { addReferrals, ownerOf, readCredit, readSharedCode, sharedSignups, signupsThrough } from './credit.ts';

/** Referrals per transaction when an admin decides about them. */
const DECIDED_AT_ONCE = 200;

interface ShareOptions {
  readonly clock: Clock;
  readonly confirm: boolean;
  readonly welcomeEmail: boolean;
}

/** Codes and credit are stored with the people, so that a list without share links has no extra costs. */
export function firestoreShare(firestore: Firestore, { clock, confirm, welcomeEmail }: ShareOptions): ShareStore {
  const signups = firestore.collection(COLLECTIONS.signups);
  return withStorageErrors({
    async openLink(email, submissionId) {
      const id = signupId(email);
      const stored = await personRefs(firestore, id).signup.get();
      // A browser has just written the signup.
      if (stored.exists && storedState(stored) === null)
        await enrol(firestore, id, { confirm, welcomeEmail, now: clock() });
      return transact(firestore, async (tx) => readLink(tx, (await findPerson(tx, id))?.document, submissionId));
    },
    readShare: (id) =>
      transact(firestore, async (tx) => {
        const [found] = await tx.find(signups.where('person_id', '==', id));
        return readLink(tx, found, null);
      }),
    async readPlace(code) {
      const [owner] = (await ownerOf(firestore, code).get()).docs;
      if (owner?.get('state') !== 'subscribed') return null;
      const line = inOrder(signups.where('state', '==', 'subscribed'), 'place');
      return 1 + (await countDocuments(line.endBefore(owner)));
    },
    links: (limit) => listLinks(firestore, limit),
    async decide(id, credit) {
      for (let decided = 0; ; ) {
        const some = await transact(firestore, (tx) => decideSome(tx, id, credit));
        decided += some;
        if (some < DECIDED_AT_ONCE) return decided;
      }
    },
  });
}

/** Returns the code of a link, creating it if it is missing. */
async function readLink(
  tx: Transaction,
  document: DocumentSnapshot | undefined,
  submissionId: string | null,
): Promise<OwnLink | null> {
  const person = toStoredPerson(document);
  if (document === undefined || person === null) return null;
  const code = textOrNull(document, 'share_code');
  const entered: EnteredSignup | null = document.get('entered') ?? null;
  const sharer = {
    link: {
      code,
      page: textOrNull(document, 'page_url'),
      confirmed: countedOf(document),
      held: code === null ? 0 : await tx.count(ofCredit(tx, person.publicId, 'held')),
    },
    submissionId: text(document, 'submission_id'),
    state: person.state,
    bouncedFrom: readStateBeforeBounce(document),
    entered,
  };
  const link = chooseLink(sharer, submissionId);
  if (link === null) return null;
  const shown = link.code ?? newShareCode();
  const field = isEntered(sharer, submissionId) ? 'entered.share_code' : 'share_code';
  if (link.code === null) tx.update(document.ref, { [field]: shown });
  return { ...link, code: shown };
}

function countedOf(signup: DocumentSnapshot): number {
  return integerOrNull(signup, 'referrals') ?? 0;
}

function ofCredit(tx: Transaction, ownerId: string, credit: Credit): Query {
  return tx.collection(COLLECTIONS.signups).where('credit.by', '==', ownerId).where('credit.state', '==', credit);
}

async function decideSome(tx: Transaction, ownerId: string, credit: Credit): Promise<number> {
  const before = credit === 'held' ? 'rejected' : 'held';
  const [owner] = await tx.find(tx.collection(COLLECTIONS.signups).where('person_id', '==', ownerId));
  if (owner === undefined) return 0;
  const friends = await tx.find(ofCredit(tx, ownerId, before).limit(DECIDED_AT_ONCE));
  for (const { ref } of friends) tx.update(ref, { 'credit.state': credit });
  if (credit === 'counted' && friends.length > 0) addReferrals(tx, owner.ref, friends.length);
  return friends.length;
}

/**
 * Reads the newest shared signups, at most `MAX_COUNTED`, like every other count, and everyone whose credit is held or
 * rejected.
 * Counting at signup would let visitors write to a person's document again and again.
 */
async function listLinks(firestore: Firestore, limit: number): Promise<ShareLink[]> {
  const signups = firestore.collection(COLLECTIONS.signups);
  const undecided = signups.where('credit.state', 'in', ['held', 'rejected']);
  const [shared, decided] = await Promise.all([
    sharedSignups(firestore).select('utm_source', 'utm_content', 'confirmed_at').limit(MAX_COUNTED).get(),
    undecided.select('credit').limit(MAX_COUNTED).get(),
  ]);
  const ofCode = Map.groupBy(shared.docs, (signup) => readSharedCode(signup.data()));
  const credits = Map.groupBy(decided.docs, (signup) => readCredit(signup)?.by);
  const ids = [...credits.keys()].filter((id) => id !== undefined);
  const owners = await findInList(signups, 'person_id', ids);
  const codes = [...ofCode].toSorted(([, a], [, b]) => b.length - a.length).flatMap(([code]) => code ?? []);
  // Anyone can sign up with codes that do not exist.
  for (let start = 0, found = 0; start < codes.length && found < limit; start += MAX_VALUES) {
    const some = await findInList(signups, 'share_code', codes.slice(start, start + MAX_VALUES));
    owners.push(...some);
    found += some.length;
  }
  const links = [...new Map(owners.map((owner) => [owner.id, owner])).values()].map((owner) => {
    const id = getPublicId(owner);
    const friends = ofCode.get(textOrNull(owner, 'share_code')) ?? [];
    const count = (credit: Credit) =>
      credits.get(id)?.filter((friend) => readCredit(friend)?.state === credit).length ?? 0;
    return {
      id,
      email: text(owner, 'email'),
      signups: friends.length,
      confirmed: friends.filter((friend) => integerOrNull(friend, 'confirmed_at') !== null).length,
      counted: countedOf(owner),
      held: count('held'),
      rejected: count('rejected'),
    };
  });
  const first = (link: ShareLink) => Number(link.held > 0);
  return links.toSorted((a, b) => first(b) - first(a) || b.signups - a.signups).slice(0, limit);
}

/** Reads a person's referrer and referrals. Bills no reads for people without a link or referrer. */
export async function readReferrals(firestore: Firestore, signup: DocumentSnapshot): Promise<PersonReferrals> {
  const [own, through, code] = [
    readCredit(signup),
    readSharedCode(signup.data() ?? {}),
    textOrNull(signup, 'share_code'),
  ];
  const find = async (query: Query | null) => (query === null ? [] : (await query.limit(MAX_BROUGHT).get()).docs);
  const byId = own && firestore.collection(COLLECTIONS.signups).where('person_id', '==', own.by);
  const [[referrer], brought] = await Promise.all([
    find(byId ?? (through === null ? null : ownerOf(firestore, through))),
    find(code === null ? null : signupsThrough(firestore, code)),
  ]);
  return {
    brought_by: referrer === undefined ? null : toSharePerson(referrer),
    credit: own?.state ?? null,
    brought: brought.map((friend) => ({ ...toSharePerson(friend), credit: readCredit(friend)?.state ?? null })),
  };
}

function toSharePerson(signup: DocumentSnapshot): SharePerson {
  return { id: getPublicId(signup), email: text(signup, 'email'), state: storedState(signup) ?? 'subscribed' };
}
