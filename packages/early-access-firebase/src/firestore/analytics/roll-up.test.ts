import { randomBytes } from 'node:crypto';
import { sessionOf, signupOf } from '@early-access-kit/testkit/records';
import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { Timestamp } from 'firebase-admin/firestore';
import { describe, expect, it } from 'vitest';
import { firestoreOfFile } from '../../fixtures/firestore.ts';
import { transact } from '../database.ts';
import { firestoreStore } from '../firestore-store.ts';
import { loadRows, type Part, type PartKind, readState, replaceParts, saveState, stateRef } from './archive.ts';
import { sessionRow, signupRow } from './documents.ts';
import { settledUntil } from './roll-up.ts';
import { type Row, UNKNOWN } from './rows.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);

const database = await firestoreOfFile(NOW);
const { clock } = database;

const open = () => firestoreStore({ firestore: database.firestore, clock: () => clock.now });

async function readParts(): Promise<readonly Part[]> {
  return readState(await stateRef(database.firestore).get())?.parts ?? [];
}

it('makes a day final 25 hours after its end', () => {
  const midnight = Date.UTC(2026, 2, 1);
  expect(settledUntil(midnight + 25 * HOUR_MS - 1)).toBe(midnight - DAY_MS);
  expect(settledUntil(midnight + 25 * HOUR_MS)).toBe(midnight);
});

describe('days that become final', () => {
  const today = settledUntil(NOW);
  const ids = async (kind: PartKind) => (await readParts()).filter((part) => part.kind === kind).map(({ id }) => id);

  function createSessionRow(at: number, visitor: string): Row {
    const { id: _, ...session } = sessionOf({ session_start: at, visitor_id: visitor });
    return sessionRow({ ...session, total_duration: 0, max_scroll_depth: 0, is_bounce: true });
  }

  /** Writes the document directly, because the store rejects sessions that began days ago. */
  const storeSession = (at: number, visitor = 'a') =>
    database.firestore.collection('sessions').add({ session_start: at, visitor_id: visitor });

  function createSignupRow(at: number): Row {
    return signupRow({ ...signupOf(), created_at: Timestamp.fromMillis(at) });
  }

  /** Stores an archive with one part per list of rows. */
  async function storeParts(lists: readonly (readonly [PartKind, readonly Row[]])[]): Promise<Part[]> {
    const { firestore } = database;
    return transact(firestore, async (tx) => {
      const parts = lists.flatMap(([kind, rows]) => replaceParts(tx, kind, [], rows));
      const state = {
        version: 0,
        origin: today - 9 * DAY_MS,
        final_until: today,
        hours_until: today,
        read_until: today,
        joined_until: today,
        pruned_until: 0,
      };
      saveState(tx, { ...state, parts: [] }, { parts });
      return parts;
    });
  }

  it('go to the last part of their kind, and rows of pruned sessions lose their visitor', async () => {
    const store = open();
    const lists = [
      ['sessions', [createSessionRow(today - 9 * DAY_MS + 5, 'a')]],
      ['signups', [createSignupRow(today - 9 * DAY_MS)]],
      ['sessions', [createSessionRow(today - 8 * DAY_MS, 'a'), createSessionRow(today - 7 * DAY_MS, 'c')]],
      ['sessions', [createSessionRow(today - 6 * DAY_MS, 'a')]],
      ['signups', [createSignupRow(today - 5 * DAY_MS)]],
      ['sessions', [createSessionRow(today - 4 * DAY_MS, 'e')]],
    ] as const;
    const [first, signups, second, third, lastSignups, last] = await storeParts(lists);
    await storeSession(today - 7 * DAY_MS);
    await storeSession(today);
    await store.createSignup(signupOf());
    clock.now += DAY_MS;
    await store.analytics.rollUp({ withinMs: 0 });
    expect(await ids('sessions')).toEqual([first?.id, second?.id, third?.id, last?.id]);
    expect(await ids('signups')).toEqual([signups?.id, lastSignups?.id]);
    const parts = await readParts();
    const rows = await loadRows(
      database.firestore,
      parts.filter(({ kind }) => kind === 'sessions'),
    );
    expect(rows.map(({ at, visitor, previous }) => [at, visitor, previous]).slice(0, 5)).toEqual([
      [today - 9 * DAY_MS, UNKNOWN, null],
      [today - 8 * DAY_MS, UNKNOWN, today - 9 * DAY_MS],
      [today - 7 * DAY_MS, 'c', null],
      [today - 6 * DAY_MS, 'a', today - 8 * DAY_MS],
      [today - 4 * DAY_MS, 'e', null],
    ]);
    expect(parts.find(({ id }) => id === last?.id)).toMatchObject({ from: today - 4 * DAY_MS, to: today });
  });

  it('include who has joined since, once an hour', async () => {
    const store = open();
    const [joined, other] = [today - 5 * DAY_MS, today - 3 * DAY_MS];
    await storeParts([['signups', [joined, other].map(createSignupRow)]]);
    const { firestore } = database;
    const person = { ...signupOf(), created_at: Timestamp.fromMillis(joined), joined_at: clock.now - 1 };
    await firestore.collection('email_signups').add(person);
    await firestore
      .collection('email_signups')
      .add({ ...person, created_at: Timestamp.fromMillis(other), imported: true });
    const readJoined = async () => (await loadRows(firestore, await readParts())).map((row) => [row.at, row.joined]);
    await store.analytics.rollUp({ withinMs: 0 });
    expect(await readJoined()).toEqual([
      [joined, false],
      [other, false],
    ]);
    clock.now += HOUR_MS;
    await store.analytics.rollUp({ withinMs: 0 });
    expect(await readJoined()).toEqual([
      [joined, true],
      [other, false],
    ]);
  });

  it('cost the same, however many parts are full', async () => {
    const costs = [];
    for (const full of [1, 5]) {
      await database.reset();
      const store = open();
      const days = Array.from({ length: full }, (_, index) => today - (full - index) * DAY_MS);
      await storeParts(
        days.flatMap((at) => [['sessions', [createSessionRow(at, 'a')]] as const, ['signups', [createSignupRow(at)]]]),
      );
      await storeSession(today - full * DAY_MS);
      clock.now += DAY_MS;
      costs.push(await database.countReads(() => store.analytics.rollUp({ withinMs: 0 })));
    }
    expect(costs[1]).toBe(costs[0]);
  });

  it('start another part if the last one is full', async () => {
    const store = open();
    // Compresses to about 450 kB, so a document fits only one.
    const long = () => randomBytes(450_000).toString('base64');
    const [full] = await storeParts([['sessions', [createSessionRow(today - DAY_MS, long())]]]);
    await storeSession(today - DAY_MS);
    await storeSession(today, long());
    clock.now += DAY_MS;
    await store.analytics.rollUp({ withinMs: 0 });
    expect(await ids('sessions')).toEqual([full?.id, expect.anything()]);
  });
});
