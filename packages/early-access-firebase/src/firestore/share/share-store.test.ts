import { HOUR_MS } from 'early-access-kit/internal';
import { EVERYONE, exampleSignup, hashToken } from 'early-access-server/fixtures';
import { MAX_SHARED_PER_NETWORK } from 'early-access-server/internal';
import { Timestamp } from 'firebase-admin/firestore';
import { expect, it } from 'vitest';
import { firestoreOfFile } from '../../fixtures/firestore.ts';
import { signupId } from '../database.ts';
import { firestoreStore } from '../firestore-store.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const ADA = 'ada@example.org';

const { firestore, clock } = await firestoreOfFile(NOW);
const store = firestoreStore({ firestore, clock: () => clock.now, confirm: true });
const signups = firestore.collection('email_signups');

/** Signs up. Returns a function that opens the confirmation link. */
async function signUp(email: string, utm_content?: string) {
  const via = utm_content === undefined ? {} : { utm_source: 'share', utm_content };
  await store.createSignup(exampleSignup({ email, ...via }), { network: 'a1b2' });
  const claim = await store.mails.claim(signupId(email));
  if (typeof claim === 'string') throw new Error(claim);
  await store.mails.recordOutcome(claim, { state: 'sent' });
  return { confirm: () => store.list.confirm(hashToken(claim.tokens.link ?? ''), null), ...claim.tokens };
}

async function readLink(email: string) {
  const link = await store.share.readShare((await store.people.listed([email])).get(email)?.id ?? '');
  if (link === null) throw new Error(`${email} is not on the list`);
  return link;
}

/** Stores a signup as a browser does. Returns its `submission_id`. */
async function writeSignup(email: string): Promise<string> {
  const signup = exampleSignup({ email });
  await signups.doc(signupId(email)).set({ ...signup, created_at: Timestamp.fromMillis(clock.now) });
  return signup.submission_id;
}

it('counts concurrent confirmations of friends like sequential ones', async () => {
  await (await signUp(ADA)).confirm();
  const { code } = await readLink(ADA);
  const friends = [];
  for (let n = 0; n < MAX_SHARED_PER_NETWORK + 1; n += 1) friends.push(await signUp(`f${n}@x${n}.io`, code));
  for (const { confirm } of friends.splice(0, MAX_SHARED_PER_NETWORK - 1)) await confirm();
  await Promise.all(friends.map(({ confirm }) => confirm()));
  expect(await readLink(ADA)).toMatchObject({ confirmed: MAX_SHARED_PER_NETWORK, held: 1 });
});

it('opens the link of a signup that a browser has just written, even after an opt-out', async () => {
  const { unsubscribe } = await signUp(ADA);
  await store.list.unsubscribe(hashToken(unsubscribe ?? ''));
  for (const email of [ADA, 'new@example.org']) {
    expect(await store.share.openLink(email, await writeSignup(email))).toMatchObject({ confirmed: 0, held: 0 });
  }
});

it('erases a code from more people and sessions than one transaction may write', async () => {
  await (await signUp(ADA)).confirm();
  const { code } = await readLink(ADA);
  const writer = firestore.bulkWriter();
  for (let n = 0; n < 250; n += 1) {
    const shared = { utm_source: 'share', utm_content: code };
    void writer.set(signups.doc(signupId(`f${n}@x.io`)), {
      ...exampleSignup({ email: `f${n}@x.io`, ...shared }),
      created_at: Timestamp.fromMillis(NOW),
      credit: { by: 'ada', state: 'counted' },
    });
    void writer.set(firestore.collection('sessions').doc(`session-${n}`), { session_start: NOW, ...shared });
  }
  await writer.close();
  expect((await store.erase(ADA)).erased).not.toBeNull();
  const left = [await signups.get(), await firestore.collection('sessions').get()].map(({ docs }) => docs);
  expect(left.map(({ length }) => length)).toEqual([250, 250]);
  expect(left.flat().filter((document) => document.get('utm_content') ?? document.get('credit'))).toEqual([]);
});

it('lists links even if there are signups with codes that do not exist', async () => {
  await (await signUp(ADA)).confirm();
  await signUp('friend@x.io', (await readLink(ADA)).code);
  for (let n = 0; n < 70; n += 1) {
    const invented = { utm_source: 'share', utm_content: `invented-${n % 35}`, created_at: Timestamp.fromMillis(NOW) };
    await signups.doc(`invented-${n}`).set(invented);
  }
  expect(await store.share.links(1)).toMatchObject([{ email: ADA, signups: 1 }]);
});

it('invites by place among the people of a period, who are all read', async () => {
  for (const email of ['early@x.io', ADA, 'late@x.io']) {
    await (await signUp(email)).confirm();
    clock.now += HOUR_MS;
  }
  const filter = { ...EVERYONE, from: NOW + HOUR_MS };
  await store.list.invite({ after: null, who: { count: 1, filter, order: 'place' } });
  const invited = await signups.where('state', '==', 'invited').get();
  expect(invited.docs.map((person) => person.get('email'))).toEqual([ADA]);
});
