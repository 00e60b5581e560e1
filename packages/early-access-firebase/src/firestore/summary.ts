import { type AnalyticsSummary, analyticsWindowStart, toSummary } from 'early-access-kit/core';
import type { Clock } from 'early-access-server/internal';
import { AggregateField, type Firestore } from 'firebase-admin/firestore';
import { readAtOnce } from './database.ts';
import { COLLECTIONS } from './documents.ts';

/**
 * The analytics summary from five aggregation queries at one moment; no document is read. Equals core's `summarize`:
 * totals are never negative, so the sessions with a positive duration are all but those with 0, and a visitor's
 * `last_seen` is the start of their latest session. Each query has one range at most, because several are billed by
 * what they scan.
 */
export function readSummary(firestore: Firestore, now: number): Promise<AnalyticsSummary> {
  const edge = analyticsWindowStart(now);
  const sessions = firestore.collection(COLLECTIONS.sessions).where('session_start', '>=', edge);
  return readAtOnce(firestore, async (tx) => {
    // All started at once: the client leaves a rejection unhandled if a first read fails that no other waits for.
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

/**
 * Returns the last result of `read` until it is `maxAgeMs` old, shared by concurrent callers. Failures are not cached.
 */
export function cached<T>(read: () => Promise<T>, maxAgeMs: number, clock: Clock): () => Promise<T> {
  let last: { readonly at: number; readonly result: Promise<T> } | null = null;
  return () => {
    const now = clock();
    // A clock that is set back must not keep an old result for longer.
    if (last !== null && Math.abs(now - last.at) < maxAgeMs) return last.result;
    const current = { at: now, result: read() };
    last = current;
    current.result.catch(() => {
      if (last === current) last = null;
    });
    return current.result;
  };
}
