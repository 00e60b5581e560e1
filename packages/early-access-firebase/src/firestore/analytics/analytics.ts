import { DAY_MS } from 'early-access-kit/internal';
import {
  ACTIVE_MS,
  type AnalyticsQuery,
  type AnalyticsStore,
  type Clock,
  type Log,
} from 'early-access-server/internal';
import type { DocumentData, Firestore, Query, QueryDocumentSnapshot } from 'firebase-admin/firestore';
import { readAtOnce, type Transaction, withStorageErrors } from '../database.ts';
import { COLLECTIONS } from '../documents.ts';
import { signupTime } from '../signups.ts';
import { type ArchiveState, partsWithin, readState, rowsInOrder, startOfHour, stateRef } from './archive.ts';
import { rowCounter, startOfDay } from './count.ts';
import { sessionRow, sessionsSince, sessionTime, signupRows, signupsSince } from './documents.ts';
import { clearFailure, failureRef, readFailure, recordFailure } from './failure.ts';
import { firstTimes, rollUp, settledUntil } from './roll-up.ts';
import type { Row } from './rows.ts';
import { addTallies, talliesRef, talliesWithin } from './tallies.ts';

/** Limits of the documents outside the archive, which may still change, that one dashboard view reads. */
export const LIVE_READS = {
  /** The newest sessions. */
  sessions: 100,
  /** More sessions, up to the last roll-up. */
  moreSessions: 100,
  /** The newest signups. The session of each is read, too. */
  signups: 20,
  /** Sessions whose page was left within the last five minutes. */
  left: 20,
};
export type LiveReads = typeof LIVE_READS;

export interface FirestoreAnalytics extends AnalyticsStore {
  /** Updates the archive; called by a schedule. Starts nothing new after `withinMs`. Calls may overlap. */
  rollUp(options: { readonly withinMs: number }): Promise<void>;
}

interface ReadOptions {
  readonly live: LiveReads;
  readonly log: Log;
}

export function firestoreAnalytics(firestore: Firestore, clock: Clock, live: LiveReads, log: Log): FirestoreAnalytics {
  return withStorageErrors({
    read: (query) => readAtOnce(firestore, (tx) => readAnalytics(tx, query, clock(), { live, log })),
    addTallies: (tallies) => addTallies(firestore, tallies, clock()),
    async progress() {
      const now = clock();
      const state = readState(await stateRef(firestore).get());
      if (state === null) {
        const oldest = await sessionsSince(firestore, 0).orderBy('session_start').limit(1).get();
        const [first] = oldest.docs;
        return first === undefined || sessionTime(first.data()) >= now - DAY_MS ? 1 : 0;
      }
      // Does not count the latest final day, which the schedule may not have finished.
      const complete = settledUntil(now) - DAY_MS;
      if (state.final_until >= complete) return 1;
      return (state.final_until - state.origin) / (complete - state.origin);
    },
    failure: async () => readFailure(await failureRef(firestore).get()),
    async rollUp({ withinMs }) {
      try {
        await rollUp(firestore, clock, withinMs, log);
      } catch (error) {
        await recordFailure(firestore, error, clock());
        throw error;
      }
      await clearFailure(firestore);
    },
  });
}

async function readAnalytics(tx: Transaction, query: AnalyticsQuery, now: number, { live, log }: ReadOptions) {
  const start = query.buckets[0] ?? query.end;
  const [snapshot, first, tallies] = await Promise.all([tx.get(stateRef(tx)), firstTimes(tx), tx.get(talliesRef(tx))]);
  const state = readState(snapshot);
  const newest = await newestRows(tx, state, { live, log });

  const { previousStart, previousEnd = start, end } = query;
  const parts = state?.parts ?? [];
  const wanted = new Set([
    ...(previousStart === null ? [] : partsWithin(parts, startOfDay(previousStart), previousEnd)),
    ...partsWithin(parts, startOfDay(start), end),
    ...partsWithin(parts, now - ACTIVE_MS, now),
  ]);
  const counter = rowCounter(query);
  const active = new Set<Row['visitor']>();
  const keeps = ({ at, visitor }: Row) => at < (visitor === null ? newest.signupsFrom : newest.sessionsFrom);
  for await (const rows of rowsInOrder(tx, [...wanted], { more: newest.rows, keeps })) {
    counter.add(rows);
    for (const { at, visitor } of rows) if (visitor !== null && at >= now - ACTIVE_MS) active.add(visitor);
  }

  const sessions = tx.collection(COLLECTIONS.sessions).where('session_end', '>=', now - ACTIVE_MS);
  // The sessions that ended first are the longest; all others started within these minutes and are already in `rows`.
  const left = await tx.find(sessions.orderBy('session_end').limit(live.left));
  for (const document of left) active.add(sessionRow(document.data()).visitor);
  const times = [first.any, ...parts.map((part) => part.from), ...newest.rows.map(({ at }) => at)].filter(
    (time) => time !== null,
  );
  return {
    ...counter.counts(),
    active_visitors: active.size,
    first: times.length === 0 ? null : startOfHour(Math.min(...times)),
    tallies: talliesWithin(tallies, start, query.end),
  };
}

/** Reads the newest sessions and signups, which are not archived yet or may still change, up to the limits. */
async function newestRows(tx: Transaction, state: ArchiveState | null, { live, log }: ReadOptions) {
  const [sessions, signups] = await Promise.all([
    newest(tx, state, [live.sessions, live.moreSessions], {
      since: (time) => sessionsSince(tx, time).orderBy('session_start', 'desc'),
      readTime: sessionTime,
    }),
    newest(tx, state, [live.signups, 0], {
      since: (time) => signupsSince(tx, time).orderBy('created_at', 'desc'),
      readTime: signupTime,
    }),
  ]);
  const sessionRows = new Map(sessions.documents.map((document) => [document.id, sessionRow(document.data())]));
  return {
    rows: [...sessionRows.values(), ...(await signupRows(tx, signups.documents, sessionRows, log))],
    sessionsFrom: sessions.from,
    signupsFrom: signups.from,
  };
}

/**
 * Returns the documents since `from`, oldest first: up to `limit` that are not final, then up to `more` others since
 * the last roll-up.
 */
async function newest(
  tx: Transaction,
  state: ArchiveState | null,
  [limit, more]: readonly [number, number],
  { since, readTime }: { since(time: number): Query; readTime(data: DocumentData): number },
): Promise<{ readonly documents: readonly QueryDocumentSnapshot[]; readonly from: number }> {
  const { final_until: changing, read_until: missing } = state ?? { final_until: 0, read_until: 0 };
  const documents = await tx.find(since(changing).limit(limit));
  const last = documents.at(-1);
  let from = documents.length < limit ? changing : timeAfter(last);
  if (from > missing && last !== undefined && more > 0) {
    const rest = await tx.find(since(missing).startAfter(last).limit(more));
    documents.push(...rest);
    from = rest.length < more ? missing : timeAfter(rest.at(-1));
  }
  return { documents: documents.filter((document) => readTime(document.data()) >= from).reverse(), from };

  /** Excludes this time, because other documents with it may be beyond the limit. */
  function timeAfter(document: QueryDocumentSnapshot | undefined): number {
    return document === undefined ? changing : readTime(document.data()) + 1;
  }
}
