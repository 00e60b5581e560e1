import { randomUUID } from 'node:crypto';
import { sessionOf, updateOf } from '@early-access-kit/testkit/records';
import { DAY_MS, HOUR_MS } from 'early-access-kit/internal';
import { afterAll, expect, it } from 'vitest';
import { sessionRowOf } from '../../fixtures/archive-rows.ts';
import { dashboardReads } from '../../fixtures/billed-reads.ts';
import { startFirestore } from '../../fixtures/firestore.ts';
import { transact } from '../database.ts';
import { firestoreStore } from '../firestore-store.ts';
import { type Part, replaceParts, saveState } from './archive.ts';
import { settledUntil } from './roll-up.ts';
import type { Row } from './rows.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);
const MILLION = 1_000_000;
/** Rows that one transaction stores: Firestore accepts 10 MiB in a request. */
const ROWS_AT_ONCE = 100_000;

const clock = { now: NOW };
const database = await startFirestore();
afterAll(() => database.close());

/**
 * Stores an archive of `days` days with a million sessions, 2% of which signed up, and the documents of the last
 * minutes.
 */
async function storeMillion(days: number): Promise<void> {
  const { firestore } = database;
  const start = NOW - days * DAY_MS;
  const rows = Array.from({ length: MILLION }, (_, index): Row[] => {
    const session = sessionRowOf(index, start + Math.floor((index * days * DAY_MS) / MILLION), 700_000);
    if (index % 50 !== 0) return [session];
    return [session, { ...session, visitor: null, views: [], duration: 0, bounce: false, engaged: false }];
  }).flat();

  const finalUntil = settledUntil(NOW);
  const groups = Map.groupBy(rows, ({ at, visitor }) =>
    at >= finalUntil ? Math.floor(at / HOUR_MS) : visitor === null ? 'signups' : 'sessions',
  );
  const parts: Part[] = [];
  for (const [group, packed] of groups) {
    const kind = typeof group === 'number' ? 'recent' : group;
    for (let start = 0; start < packed.length; start += ROWS_AT_ONCE) {
      const slice = packed.slice(start, start + ROWS_AT_ONCE);
      parts.push(...(await transact(firestore, async (tx) => replaceParts(tx, kind, [], slice))));
    }
  }
  const state = {
    version: 0,
    origin: start,
    final_until: finalUntil,
    hours_until: NOW,
    read_until: NOW,
    joined_until: NOW,
    pruned_until: 0,
    parts,
  };
  await transact(firestore, async (tx) => saveState(tx, state, {}));

  // The schedule runs every five minutes; traffic is sometimes twice the average.
  clock.now += 5 * 60_000;
  const lately = Math.ceil((2 * MILLION) / days / 288);
  const recently = Array.from({ length: lately }, (_, index) => clock.now - Math.floor((index * 300_000) / lately));
  await Promise.all(recently.map((at) => storeSession(at)));
  await storeSession(start);

  async function storeSession(at: number): Promise<void> {
    const fields = updateOf(sessionOf({ session_start: at }), { session_end: at + 1 });
    await firestore.doc(`sessions/${randomUUID()}`).set({ ...fields, is_bounce: true });
  }
}

it('reads at most 300 documents for a view of a million sessions, in 30 days or in total', async () => {
  await storeMillion(30);
  const store = firestoreStore({ firestore: database.firestore, clock: () => clock.now });
  const limit = dashboardReads(MILLION * 1.02);
  expect(limit).toBeLessThanOrEqual(300);
  for (const days of [30, 395]) {
    const buckets = Array.from({ length: days }, (_, index) => clock.now - (days - index) * DAY_MS);
    const previousStart = clock.now - 2 * days * DAY_MS;
    database.calls.reset();
    const { figures } = await store.analytics.read({ buckets, end: clock.now, previousStart, filter: {} });
    expect(figures.sessions).toBeGreaterThan(0.99 * MILLION);
    expect(database.calls.documentReads).toBeLessThanOrEqual(limit);
    expect(database.calls).toMatchObject({ writes: 0, deletes: 0, aggregationReads: 0 });
  }
});
