import { randomUUID } from 'node:crypto';
import { signupOf } from '@early-access-kit/testkit/records';
import { EVERYONE, hashToken, PEOPLE_SORTS } from 'early-access-server/fixtures';
import type { ImportedPerson, PeopleQuery, Person, Segment } from 'early-access-server/internal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFirestore } from '../../fixtures/firestore.ts';
import { signupId } from '../database.ts';
import { firestoreStore } from '../firestore-store.ts';
import { newMessageDocument } from '../message-document.ts';
import { firestorePeople } from './people.ts';

const ALL: PeopleQuery = { ...EVERYONE, sort: 'newest', limit: 10, after: null };
/** The page limit in these tests. */
const MAX_SCANNED = 200;
const PEOPLE = 450;

const NOW = Date.UTC(2026, 2, 1);
const clock = { now: NOW };
const database = await startFirestore();
beforeAll(signUpMany);
afterAll(() => database.close());

/**
 * `person-0` signs up first. Every hundredth person is at rare.example and comes from a campaign, and one address
 * contains the beginning of another one.
 */
async function signUpMany(): Promise<void> {
  const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now });
  const imported: ImportedPerson[] = [];
  for (let index = 0; index < PEOPLE; index += 1) {
    clock.now += 1_000;
    const [email, source] = [`person-${index}`, index % 2 === 0 ? 'even' : 'odd'];
    if (index % 100 === 0) {
      await store.createSignup(signupOf({ email: `${email}@rare.example`, source, utm_campaign: 'rare' }));
    } else {
      imported.push({ email: `${email}@common.example`, source, created_at: clock.now, state: 'subscribed' });
    }
  }
  // A transaction for each person would take most of the time of this file.
  await store.list.importPeople(imported, { welcome: true });
}

/** Reads all pages by following the cursors. */
async function everyPage(query: PeopleQuery): Promise<Person[][]> {
  const people = firestorePeople(database.firestore, { maxScanned: MAX_SCANNED });
  const found: Person[][] = [];
  let after: string | null = null;
  do {
    const page = await people.list({ ...query, after });
    found.push([...page.people]);
    after = page.next;
  } while (after !== null);
  return found;
}

const names = (people: readonly Person[]) => people.map(({ email }) => email.slice(0, email.indexOf('@')));

describe('a search in a long list', () => {
  it('reads a limited number of people for each page, and finds everyone once', async () => {
    const pages = await everyPage({ ...ALL, search: 'rare' });
    expect(pages.map(names)).toEqual([['person-400', 'person-300'], ['person-200', 'person-100'], ['person-0']]);
  });

  it('bills these people and the messages of those who match', async () => {
    database.calls.reset();
    const { people } = await firestorePeople(database.firestore, { maxScanned: MAX_SCANNED }).list({
      ...ALL,
      search: 'rare',
    });
    expect(people).toHaveLength(2);
    // No address starts with the search, which is billed as one read. Each process reads the key once.
    expect(database.calls).toMatchObject({ documentReads: 200 + 2 + 1 + 1, writes: 0 });
  });

  it('first adds people whose address starts with it, and does not list them again', async () => {
    const pages = await everyPage({ ...ALL, search: 'person-10' });
    const all = ['person-10', ...Array.from({ length: 10 }, (_, index) => `person-10${index}`)];
    expect(pages.flatMap(names).sort()).toEqual(all.sort());
    // Eleven are more than the limit of a page.
    expect(pages[0]).toEqual([]);
    // The page's limit is enough for all of them.
    const few = await everyPage({ ...ALL, search: 'person-1', source: 'odd', limit: 56 });
    expect(few.map((page) => page.length)).toEqual([56, 0]);
    const many = await everyPage({ ...ALL, search: 'person-1', limit: 111 });
    expect(many.map((page) => page.length)).toEqual([111, 0, 0]);
  });

  it('only adds them if the page has room for all of them', async () => {
    const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now });
    await store.createSignup(signupOf({ email: 'see-person-44@common.example' }));
    const pages = await everyPage({ ...ALL, search: 'person-44', limit: 11 });
    expect(pages.map((page) => page.length)).toEqual([11, 0, 1]);
    const [page] = await everyPage({ ...ALL, search: 'person-44', limit: 12 });
    expect(page).toHaveLength(12);
    await store.erase('see-person-44@common.example');
  });

  it('finds a person even if none of the first matching addresses is on the page', async () => {
    const message = database.firestore.doc(`mails/${signupId('person-1@common.example')}`);
    await message.update({ state: 'failed' });
    const pages = await everyPage({ ...ALL, search: 'person-1', mail: 'failed' });
    expect(names(pages.flat())).toEqual(['person-1']);
    await message.update({ state: 'queued' });
  });

  it('adds nobody in another state', async () => {
    const person = database.firestore.doc(`email_signups/${signupId('person-1@common.example')}`);
    await person.update({ state: 'joined' });
    const [page] = await everyPage({ ...ALL, search: 'person-1', state: 'subscribed', limit: 200 });
    expect(page).toHaveLength(110);
    expect(names(page ?? [])).not.toContain('person-1');
    await person.update({ state: 'subscribed' });
  });
});

it('a filter by the state of the email also reads people in order', async () => {
  const pages = await everyPage({ ...ALL, mail: 'queued', limit: PEOPLE });
  expect(pages.map((page) => page.length)).toEqual([200, 200, 50]);
  expect(names(pages.flat())).toEqual(Array.from({ length: PEOPLE }, (_, index) => `person-${PEOPLE - 1 - index}`));
});

describe('conditions', () => {
  const where = (conditions: Segment): PeopleQuery => ({ ...ALL, segment: { conditions, at: clock.now } });

  it('read a limited number of people for each page, and find everyone once', async () => {
    const pages = await everyPage(where({ campaign: 'rare' }));
    expect(pages.map(names)).toEqual([['person-400', 'person-300'], ['person-200', 'person-100'], ['person-0']]);
    database.calls.reset();
    await firestorePeople(database.firestore, { maxScanned: MAX_SCANNED }).list(where({ campaign: 'rare' }));
    // Each process reads the key of cursors once.
    expect(database.calls).toMatchObject({ documentReads: 200 + 2 + 1, writes: 0 });
  });

  it('on the state, the source and the time use indexes', async () => {
    const list = firestorePeople(database.firestore);
    database.calls.reset();
    const counted = await list.count(where({ states: ['subscribed', 'joined'], source: 'odd', from: '2026-03-01' }));
    expect(counted).toEqual({ count: PEOPLE / 2, is_partial: false });
    expect(await list.count({ ...where({ source: 'odd' }), source: 'even' })).toMatchObject({ count: 0 });
    expect(database.calls.documentReads).toBe(0);
    expect((await list.list(where({ invited_days_ago: 1 }))).people).toEqual([]);
    // Nobody is invited, which is billed as one read.
    expect(database.calls.documentReads).toBe(1);
  });

  it('on campaigns bill one more read for each person who meets the others', async () => {
    const campaign = randomUUID();
    const sent = `mails/${signupId('person-300@rare.example')}.campaign.${campaign}`;
    await database.firestore
      .doc(sent)
      .set(newMessageDocument({ kind: 'campaign', signup_id: null, state: 'sent' }, NOW));
    const list = firestorePeople(database.firestore, { maxScanned: MAX_SCANNED, maxCounted: MAX_SCANNED });
    database.calls.reset();
    const conditions = { campaign: 'rare', without_campaign: campaign };
    expect(await list.count(where(conditions))).toEqual({ count: 1, is_partial: true });
    expect(database.calls).toMatchObject({ documentReads: 200 + 2, writes: 0 });
    expect(await everyPage(where({ with_campaign: campaign }))).toMatchObject([
      [{ email: 'person-300@rare.example' }],
      [],
      [],
    ]);
    expect(await everyPage(where({ campaign: 'rare', with_campaign: '../no id' }))).toEqual([[], [], []]);
  });
});

it('people are counted with an index, or among the newest', async () => {
  const people = firestorePeople(database.firestore, { maxCounted: 2 * MAX_SCANNED });
  database.calls.reset();
  expect(await people.count({ ...EVERYONE, source: 'odd' })).toEqual({ count: PEOPLE / 2, is_partial: false });
  expect(database.calls).toMatchObject({ documentReads: 0, aggregationReads: 1 });
  expect(await people.count({ ...EVERYONE, search: 'person' })).toEqual({ count: 2 * MAX_SCANNED, is_partial: true });
  expect(await people.count({ ...EVERYONE, mail: 'queued' })).toEqual({ count: 2 * MAX_SCANNED, is_partial: true });
  expect(await people.count({ ...EVERYONE, mail: 'sent' })).toEqual({ count: 0, is_partial: true });
});

describe('a period', () => {
  const people = () => firestorePeople(database.firestore);
  const signupTime = (index: number) => NOW + (index + 1) * 1_000;
  const first = { from: signupTime(0), to: signupTime(2) };

  it('includes its start, but not its end', async () => {
    for (const sort of PEOPLE_SORTS) {
      const { people: found } = await people().list({ ...ALL, sort, ...first });
      expect(names(found).toSorted()).toEqual(['person-0', 'person-1']);
    }
  });

  it('uses an index of times, except in the order of addresses', async () => {
    database.calls.reset();
    await people().list({ ...ALL, ...first });
    expect(database.calls.documentReads).toBe(2 + 2);
    await people().list({ ...ALL, sort: 'email', ...first });
    expect(database.calls.documentReads).toBeGreaterThan(PEOPLE);
  });
});

it('a state uses an index', async () => {
  database.calls.reset();
  expect((await firestorePeople(database.firestore).list({ ...ALL, state: 'joined' })).people).toEqual([]);
  expect(database.calls.documentReads).toBe(1);
});

it('a page without a search bills its people, their messages and the first person of the next page', async () => {
  const list = firestorePeople(database.firestore);
  await list.list(ALL);
  database.calls.reset();
  const { people, next } = await list.list({ ...ALL, source: 'odd' });
  expect(names(people)[0]).toBe('person-449');
  expect(next).not.toBeNull();
  expect(database.calls).toMatchObject({ documentReads: 2 * (ALL.limit + 1), writes: 0 });
});

it('sources bill one read each, and one for the end', async () => {
  database.calls.reset();
  expect(await firestorePeople(database.firestore).sources()).toEqual(['even', 'odd']);
  expect(database.calls.documentReads).toBe(3);
});

it('a person who unsubscribes while everyone is read is not read twice', async () => {
  const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now });
  async function unsubscribe(email: string) {
    const claimed = await store.mails.claim(signupId(email));
    if (typeof claimed === 'string') throw new Error(claimed);
    await store.list.unsubscribe(hashToken(claimed.tokens.unsubscribe ?? ''));
  }
  const read: string[] = [];
  for await (const { email } of store.people.all(EVERYONE)) {
    read.push(email);
    if (read.length === 200) await unsubscribe(email);
  }
  expect(new Set(read).size).toBe(PEOPLE);
  expect(read).toHaveLength(PEOPLE);
});
