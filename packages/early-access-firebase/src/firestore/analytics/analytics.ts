import { DAY_MS } from 'early-access-kit/core';
import {
  ACTIVE_MS,
  type Analytics,
  type AnalyticsQuery,
  type AnalyticsStore,
  type Clock,
  type Log,
  silentLog,
} from 'early-access-server/stores';
import type { DocumentData, Firestore, Query, QueryDocumentSnapshot, Transaction } from 'firebase-admin/firestore';
import { LIVE_READS, type LiveReads } from '../billed-reads.ts';
import { orStorageError, transact } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { signupTime } from '../signups.ts';
import { type ArchiveState, loadRows, partsWithin, readState, startOfHour, stateRef } from './archive.ts';
import { countRows, startOfDay } from './count.ts';
import { inOrder, sessionRow, sessionsSince, sessionTime, signupRows, signupsSince } from './documents.ts';
import { clearFailure, failureRef, readFailure, recordFailure } from './failure.ts';
import { firstTimes, rollUp, settledUntil } from './roll-up.ts';
import type { Row } from './rows.ts';
import { addTallies, talliesRef, talliesWithin } from './tallies.ts';

export interface FirestoreAnalytics extends AnalyticsStore {
  /** Brings the archive up to date, for a schedule. Starts nothing new after `withinMs`. Calls may overlap. */
  rollUp(options: { readonly withinMs: number }): Promise<void>;
}

interface ReadOptions {
  readonly live: LiveReads;
  readonly log: Log;
}

export function firestoreAnalytics(
  firestore: Firestore,
  clock: Clock,
  live: LiveReads = LIVE_READS,
  log: Log = silentLog,
): FirestoreAnalytics {
  return {
    read: (query) =>
      transact(firestore, (transaction) => readAnalytics(firestore, transaction, query, clock(), { live, log }), {
        readOnly: true,
      }),
    addTallies: (tallies) => orStorageError(() => addTallies(firestore, tallies, clock())),
    progress: () =>
      orStorageError(async () => {
        const now = clock();
        const state = readState(await stateRef(firestore).get());
        if (state === null) {
          const oldest = await sessionsSince(firestore, 0).orderBy('session_start').limit(1).get();
          const [first] = oldest.docs;
          return first === undefined || sessionTime(first.data()) >= now - DAY_MS ? 1 : 0;
        }
        // The day that has just become final is counted, too, before the schedule has finished it.
        const complete = settledUntil(now) - DAY_MS;
        if (state.final_until >= complete) return 1;
        return (state.final_until - state.origin) / (complete - state.origin);
      }),
    failure: () => orStorageError(async () => readFailure(await failureRef(firestore).get())),
    async rollUp({ withinMs }) {
      try {
        await orStorageError(() => rollUp(firestore, clock, withinMs, log));
      } catch (error) {
        await orStorageError(() => recordFailure(firestore, error, clock()));
        throw error;
      }
      await orStorageError(() => clearFailure(firestore));
    },
  };
}

async function readAnalytics(
  firestore: Firestore,
  transaction: Transaction,
  query: AnalyticsQuery,
  now: number,
  { live, log }: ReadOptions,
): Promise<Analytics> {
  const start = query.buckets[0] ?? query.end;
  const [snapshot, first, tallies] = await Promise.all([
    transaction.get(stateRef(firestore)),
    firstTimes(firestore, transaction),
    transaction.get(talliesRef(firestore)),
  ]);
  const state = readState(snapshot);
  const newest = await newestRows(firestore, transaction, state, { live, log });

  const from = startOfDay(query.previousStart ?? start);
  const parts = state?.parts ?? [];
  const wanted = new Set([...partsWithin(parts, from, query.end), ...partsWithin(parts, now - ACTIVE_MS, now)]);
  const archived = (await loadRows(firestore, [...wanted], transaction)).filter(
    ({ at, visitor }) => at < (visitor === null ? newest.signupsFrom : newest.sessionsFrom),
  );
  const rows = inOrder([...archived, ...newest.rows]);

  const left = await transaction.get(
    firestore
      .collection(COLLECTIONS.sessions)
      .where('session_end', '>=', now - ACTIVE_MS)
      .orderBy('session_end', 'desc')
      .limit(live.left),
  );
  const started = rows.filter(({ at, visitor }) => visitor !== null && at >= now - ACTIVE_MS);
  const active = new Set(
    [...started, ...left.docs.map((document) => sessionRow(document.data()))].map(({ visitor }) => visitor),
  );
  const times = [
    first.session,
    first.signup,
    ...parts.map((part) => part.from),
    ...newest.rows.map(({ at }) => at),
  ].filter((time) => time !== null);
  return {
    ...countRows(rows, query),
    active_visitors: active.size,
    first: times.length === 0 ? null : startOfHour(Math.min(...times)),
    tallies: talliesWithin(tallies, start, query.end),
  };
}

/** Reads the newest sessions and signups, which the archive lacks or which may still change, up to the limits. */
async function newestRows(
  firestore: Firestore,
  transaction: Transaction,
  state: ArchiveState | null,
  { live, log }: ReadOptions,
): Promise<{ readonly rows: Row[]; readonly sessionsFrom: number; readonly signupsFrom: number }> {
  const [sessions, signups] = await Promise.all([
    newest(transaction, state, [live.sessions, live.moreSessions], {
      since: (time) => sessionsSince(firestore, time).orderBy('session_start', 'desc'),
      readTime: sessionTime,
    }),
    newest(transaction, state, [live.signups, 0], {
      since: (time) => signupsSince(firestore, time).orderBy('created_at', 'desc'),
      readTime: signupTime,
    }),
  ]);
  const sessionRows = new Map(sessions.documents.map((document) => [document.id, sessionRow(document.data())]));
  return {
    rows: [...sessionRows.values(), ...(await signupRows(firestore, signups.documents, sessionRows, transaction, log))],
    sessionsFrom: sessions.from,
    signupsFrom: signups.from,
  };
}

/**
 * Returns the documents since `from`, oldest first: first up to `limit` documents that are not final, then up to `more` of the rest since
 * the last roll-up.
 */
async function newest(
  transaction: Transaction,
  state: ArchiveState | null,
  [limit, more]: readonly [number, number],
  { since, readTime }: { since(time: number): Query; readTime(data: DocumentData): number },
): Promise<{ readonly documents: readonly QueryDocumentSnapshot[]; readonly from: number }> {
  const { final_until: changing, read_until: missing } = state ?? { final_until: 0, read_until: 0 };
  const { docs: documents } = await transaction.get(since(changing).limit(limit));
  let from = documents.length < limit ? changing : timeAfter(documents.at(-1));
  const last = documents.at(-1);
  if (from > missing && last !== undefined && more > 0) {
    const { docs } = await transaction.get(since(missing).startAfter(last).limit(more));
    documents.push(...docs);
    from = docs.length < more ? missing : timeAfter(docs.at(-1));
  }
  return { documents: documents.filter((document) => readTime(document.data()) >= from).reverse(), from };

  /** Others of the same time may be beyond the limit. */
  function timeAfter(document: QueryDocumentSnapshot | undefined): number {
    return document === undefined ? changing : readTime(document.data()) + 1;
  }
}
