import { signupOf } from '@early-access-kit/testkit/records';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PeopleQuery, Person } from '../../../app/admin/people.ts';
import { type FirestoreFixture, startFirestore } from '../../../fixtures/firestore.ts';
import { firestoreStore } from '../firestore-store.ts';
import { firestorePeople } from './people.ts';

const ALL: PeopleQuery = {
  search: '',
  state: null,
  mail: null,
  source: null,
  from: null,
  to: null,
  sort: 'newest',
  limit: 10,
  after: null,
};
/** A page reads two hundred people at once, which is more than it may go through. */
const MAX_SCANNED = 100;
const PEOPLE = 450;

const clock = { now: Date.UTC(2026, 2, 1) };
let database: FirestoreFixture;
beforeAll(async () => {
  database = await startFirestore(() => clock.now);
  await signUpMany();
});
afterAll(() => database.close());

/** `person-0` signs up first. Every hundredth is at rare.example, and one address contains another one's beginning. */
async function signUpMany(): Promise<void> {
  const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now });
  for (let index = 0; index < PEOPLE; index += 1) {
    clock.now += 1_000;
    const email = `person-${index}@${index % 100 === 0 ? 'rare' : 'common'}.example`;
    await store.createSignup(signupOf({ email, source: index % 2 === 0 ? 'even' : 'odd' }));
  }
}

/** Follows the cursors to the end. */
async function everyPage(query: PeopleQuery): Promise<Person[][]> {
  const people = firestorePeople(database.firestore, MAX_SCANNED);
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
  it('goes through a bounded number of people for each page, and finds everyone once', async () => {
    const pages = await everyPage({ ...ALL, search: 'rare' });
    expect(pages.map(names)).toEqual([['person-400', 'person-300'], ['person-200', 'person-100'], ['person-0']]);
  });

  it('is billed for these people and for the messages of those who match', async () => {
    database.fake.calls.reset();
    const { people } = await firestorePeople(database.firestore, MAX_SCANNED).list({ ...ALL, search: 'rare' });
    expect(people).toHaveLength(2);
    // Of the addresses that start with it there are none, which is billed as one. The key is read once in each process.
    expect(database.fake.calls).toMatchObject({ documentReads: 200 + 2 + 1 + 1, writes: 0 });
  });

  it('first adds those whose address starts with it, and does not list them again', async () => {
    const pages = await everyPage({ ...ALL, search: 'person-10' });
    const all = ['person-10', ...Array.from({ length: 10 }, (_, index) => `person-10${index}`)];
    expect(pages.flatMap(names).sort()).toEqual(all.sort());
    // Eleven are more than a page may have.
    expect(pages[0]).toEqual([]);
    const few = await everyPage({ ...ALL, search: 'person-1', source: 'odd', limit: 200 });
    expect(few[0]).toHaveLength(56);
    expect(new Set(few.flatMap(names)).size).toBe(few.flat().length);
  });
});

it('a page without a search is billed for its people, their messages and the look at the next one', async () => {
  const list = firestorePeople(database.firestore);
  await list.list(ALL);
  database.fake.calls.reset();
  const { people, next } = await list.list({ ...ALL, source: 'odd' });
  expect(names(people)[0]).toBe('person-449');
  expect(next).not.toBeNull();
  expect(database.fake.calls).toMatchObject({ documentReads: 2 * (ALL.limit + 1), writes: 0 });
});

it('sources are billed one read each, and one for the end', async () => {
  database.fake.calls.reset();
  expect(await firestorePeople(database.firestore).sources()).toEqual(['even', 'odd']);
  expect(database.fake.calls.documentReads).toBe(3);
});
