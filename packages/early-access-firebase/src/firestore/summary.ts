import { type AnalyticsSummary, analyticsWindowStart, toSummary } from 'early-access-kit/core';
import type { Clock } from 'early-access-server/internal';
import { AggregateField, type Firestore } from 'firebase-admin/firestore';
import { readAtOnce } from './database.ts';
import { COLLECTIONS } from './documents.ts';

/**
 * Computes the analytics summary from five aggregation queries on one snapshot; no document is read. Equals core's
 * `summarize`: totals are never negative, so sessions with a positive duration are all but those with 0, and a
 * visitor's `last_seen` is the start of their latest session. Each query has at most one range, because queries with
 * several are billed by scanned entries.
 */
export function readSummary(firestore: Firestore, now: number): Promise<AnalyticsSummary> {
  const edge = analyticsWindowStart(now);
  const sessions = firestore.collection(COLLECTIONS.sessions).where('session_start', '>=', edge);
  return readAtOnce(firestore, async (tx) => {
    // Started together: if a read fails before another one is awaited, its rejection would be unhandled.
    const [{ sessions: all, duration }, bounces, untimed, uniqueVisitors, signups] = await Promise.all([
      tx.aggregate(sessions, { sessions: AggregateField.count(), duration: AggregateField.sum('total_duration') }),
      tx.count(sessions.where('is_bounce', '==', true)),
      tx.count(sessions.where('total_duration', '==', 0)),
      tx.count(firestore.collection(COLLECTIONS.visitors).where('last_seen', '>=', edge)),
      tx.count(firestore.collection(COLLECTIONS.signups)),
    ]);
    return toSummary({ sessions: all, bounces, duration, timed_sessions: all - untimed }, uniqueVisitors, signups);
  });
}

/** Caches the result of `read` for `maxAgeMs`, shared by concurrent callers. Failures are not cached. */
export function cached<T>(read: () => Promise<T>, maxAgeMs: number, clock: Clock): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | null = null;
  return () => {
    const now = clock();
    // Setting the clock back must not extend the cache.
    if (last !== null && Math.abs(now - last.at) < maxAgeMs) return last.result;
    const current = { at: now, result: read() };
    last = current;
    current.result.catch(() => {
      if (last === current) last = null;
    });
    return current.result;
  };
}
