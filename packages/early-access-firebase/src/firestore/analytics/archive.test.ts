import { fc } from '@early-access-kit/testkit/fast-check';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { silentLog } from 'early-access-server/internal';
import { expect, it } from 'vitest';
import { RECENT_PARTS } from '../../fixtures/billed-reads.ts';
import { beforeNextTransaction, firestoreOfFile } from '../../fixtures/firestore.ts';
import { type FirestoreStore, firestoreStore } from '../firestore-store.ts';
import { type ArchiveState, type Part, partsWithin, readState, startOfHour, stateRef } from './archive.ts';
import { startOfDay } from './count.ts';
import { readRows } from './documents.ts';
import { settledUntil } from './roll-up.ts';
import { type Row, unpack } from './rows.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const ROLL_UP = { withinMs: 60_000 };

const database = await firestoreOfFile(NOW);
const { clock } = database;

const open = () => firestoreStore({ firestore: database.firestore, clock: () => clock.now });

async function readStoredState(): Promise<ArchiveState | null> {
  return readState(await stateRef(database.firestore).get());
}

/** Signups are compared by time only, because their traffic source changes when their session is pruned. */
const sorted = (rows: readonly Row[]) =>
  rows
    .map((row) => (row.visitor === null ? `signup ${row.at}` : JSON.stringify({ ...row, previous: null })))
    .toSorted();

/** Returns whether both are in the same hour, or in the same UTC day whose hours are final. */
function isPackedTogether(at: number, from: number, settled: number): boolean {
  return startOfHour(at) === startOfHour(from) || (startOfDay(at) === startOfDay(from) && Math.max(at, from) < settled);
}

/** Compares the archive with the documents before `until`. */
async function checkArchive(until = 0): Promise<void> {
  const { firestore } = database;
  const state = await readStoredState();
  const documents = await firestore.collection('analytics_parts').get();
  if (state === null) return expect(documents.size).toBe(0);
  const { parts, final_until: finalUntil, hours_until: hoursUntil } = state;
  const packed = new Map(documents.docs.map((document) => [document.id, document.get('rows')]));
  expect([...packed.keys()].toSorted()).toEqual(parts.map(({ id }) => id).toSorted());
  expect(parts).toEqual(parts.toSorted((a, b) => a.from - b.from));
  const archived: Row[] = [];
  for (const part of parts) {
    const rows = unpack(packed.get(part.id));
    expect([rows[0]?.at, rows.at(-1)?.at]).toEqual([part.from, part.to]);
    const isOfKind = ({ at, visitor }: Row) =>
      part.kind === 'recent'
        ? at >= finalUntil && isPackedTogether(at, part.from, hoursUntil - HOUR_MS)
        : at < finalUntil && (visitor === null) === (part.kind === 'signups');
    expect(rows.filter((row) => !isOfKind(row))).toEqual([]);
    archived.push(...rows);
  }
  // So few rows need one document per hour, and one for all final rows.
  const names = parts.map(({ kind, from }) => (kind === 'recent' ? startOfHour(from) : kind));
  expect(new Set(names).size).toBe(names.length);
  const rows = await readRows(firestore, 0, clock.now + 1, silentLog);
  const stored = rows.filter(({ at }) => at < Math.max(until, state.read_until));
  // Rows of pruned sessions stay, but lose their visitor when the next day becomes final.
  const first = Math.min(...rows.filter(({ visitor }) => visitor !== null).map(({ at }) => at));
  expect(sorted(archived.filter(({ at, visitor }) => visitor === null || at >= first))).toEqual(sorted(stored));
}

const passing = fc.oneof(
  fc.constantFrom(0, 1, HOUR_MS - 1, HOUR_MS, DAY_MS, 26 * HOUR_MS),
  fc.nat(3 * HOUR_MS),
  fc.nat(4 * DAY_MS),
);
const person = fc.nat(7);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: passing }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('roll up' as const), withinMs: fc.constantFrom(0, 60_000) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('visit' as const), visitor: fc.constantFrom('00ab', '0000abcd') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('visit and sign up' as const), person }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      person,
      ages: fc.array(passing, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('prune' as const), ms: passing }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const CHANGES_ARCHIVE: readonly Step['kind'][] = ['roll up', 'import', 'erase'];

async function take(store: FirestoreStore, step: Step): Promise<void> {
  const email = (name: string | number) => `person-${name}@example.org`;
  if (step.kind === 'wait') clock.now += step.ms;
  if (step.kind === 'roll up') await store.analytics.rollUp(step);
  if (step.kind === 'prune') await store.prune(clock.now - step.ms, 100);
  if (step.kind === 'erase') await store.erase(email(step.person));
  if (step.kind === 'visit') {
    await store.startSession(sessionOf({ session_start: clock.now, visitor_id: step.visitor }));
  }
  if (step.kind === 'visit and sign up') {
    const session = sessionOf({ session_start: clock.now });
    await store.startSession(session);
    await store.createSignup(signupOf({ email: email(step.person), session_id: session.id }));
  }
  if (step.kind === 'import') {
    const people = step.ages.map((age, index) => ({
      email: email(`${step.person}-${index}`),
      source: 'file',
      created_at: clock.now - age,
      state: 'subscribed' as const,
    }));
    await store.list.importPeople(people, { welcome: false });
  }
}

it('has the row of every session and signup exactly once, in the part that its state names, for any history', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      await database.reset();
      const store = open();
      for (const one of steps) {
        await take(store, one);
        if (CHANGES_ARCHIVE.includes(one.kind)) await checkArchive();
      }
      await store.analytics.rollUp(ROLL_UP);
      await checkArchive(clock.now);
      const state = await readStoredState();
      if (state !== null) expect(state.final_until).toBe(settledUntil(clock.now));
    }),
    { numRuns: 12 },
  );
});

type Work = () => Promise<unknown>;

it.each([
  ['at the same time', (rollUp: Work, erase: Work) => Promise.all([rollUp(), erase()])],
  [
    'after it has read them',
    (rollUp: Work, erase: Work) => {
      beforeNextTransaction(database, erase);
      return rollUp();
    },
  ],
])('does not contain a person who was read by a roll-up and then erased %s', async (_, both) => {
  const store = open();
  const session = sessionOf({ session_start: NOW });
  await store.startSession(session);
  await store.createSignup(signupOf({ email: 'ada@example.org', session_id: session.id }));
  await store.analytics.rollUp(ROLL_UP);
  clock.now += HOUR_MS;
  await both(
    () => store.analytics.rollUp(ROLL_UP),
    () => store.erase('ada@example.org'),
  );
  await store.analytics.rollUp(ROLL_UP);
  expect(await database.list('analytics_parts')).toEqual([]);
});

it('starts with the first session or signup', async () => {
  const store = open();
  await store.analytics.rollUp(ROLL_UP);
  expect(await readStoredState()).toBeNull();
  await store.startSession(sessionOf({ session_start: NOW }));
  await store.analytics.rollUp(ROLL_UP);
  expect(await readStoredState()).toMatchObject({ origin: settledUntil(NOW) });
});

it('finds the parts with rows in a period, including its start', () => {
  const part: Part = { id: 'part', kind: 'signups', from: 10, to: 20 };
  const isFound = (from: number, to: number) => partsWithin([part], from, to).length > 0;
  expect([isFound(20, 30), isFound(21, 30), isFound(0, 10), isFound(0, 11)]).toEqual([true, false, false, true]);
});

/** Stores and archives sessions of signed-up people in each of the last `hours` hours. */
async function archivedHours(hours: number): Promise<FirestoreStore> {
  await database.reset();
  const store = open();
  clock.now -= hours * HOUR_MS;
  for (let hour = 0; hour < hours; hour += 1) {
    await take(store, { kind: 'visit and sign up', person: hour });
    clock.now += HOUR_MS;
  }
  await store.analytics.rollUp(ROLL_UP);
  return store;
}

it('only reads and writes the parts that change', async () => {
  const { calls } = database;
  const costs = [];
  for (const hours of [3, 9]) {
    const store = await archivedHours(hours);
    calls.reset();
    await store.analytics.rollUp(ROLL_UP);
    expect(calls.writes).toBe(0);
    clock.now += 1;
    await take(store, { kind: 'visit', visitor: '00ab' });
    clock.now += 1;
    calls.reset();
    await store.analytics.rollUp(ROLL_UP);
    const rollUp = [calls.documentReads, calls.writes];
    calls.reset();
    await store.erase('person-2@example.org');
    costs.push([rollUp, [calls.documentReads, calls.writes]]);
    await checkArchive();
  }
  expect(costs[1]).toEqual(costs[0]);
});

it('merges the hours of a day that are not read again into one part', async () => {
  await database.reset();
  const store = open();
  for (let hour = 0; hour < 40; hour += 1) {
    await take(store, { kind: 'visit', visitor: '00ab' });
    await store.analytics.rollUp(ROLL_UP);
    clock.now += HOUR_MS;
  }
  await store.analytics.rollUp(ROLL_UP);
  const parts = (await readStoredState())?.parts ?? [];
  expect(parts.filter(({ kind }) => kind === 'recent').length).toBeLessThanOrEqual(RECENT_PARTS);
  await checkArchive(clock.now);
});

it('includes people imported after the last roll-up in the next one', async () => {
  const store = await archivedHours(1);
  const before = await readStoredState();
  clock.now += 2;
  await take(store, { kind: 'import', person: 1, ages: [1] });
  expect(await readStoredState()).toEqual(before);
  await store.analytics.rollUp(ROLL_UP);
  await checkArchive(clock.now);
});

it('updates the start of a part after its first row was erased', async () => {
  const store = await archivedHours(3);
  clock.now += 4 * DAY_MS;
  await store.analytics.rollUp(ROLL_UP);
  await store.erase('person-0@example.org');
  await checkArchive();
});
