import {
  clampDuration,
  DAY_MS,
  INITIAL_TOTALS,
  MAX_FIRESTORE_VIEWS,
  mergeSession,
  type SessionRecord,
  type SessionStart,
  type SessionTotals,
  splitTotals,
  toSessionRecord,
} from 'early-access-kit/internal';
import { type PageView, sha256 } from 'early-access-server/internal';
import {
  type DocumentData,
  type DocumentSnapshot,
  FieldPath,
  type Firestore,
  Timestamp,
} from 'firebase-admin/firestore';
import { changeRows } from './analytics/archive.ts';
import { sessionRow } from './analytics/documents.ts';
import { deleteFirst, RETENTION_MS, transact } from './database.ts';
import { COLLECTIONS } from './documents.ts';
import { integer, integerOrNull } from './fields.ts';

interface SessionReport {
  readonly totals?: SessionTotals;
  readonly view?: PageView | undefined;
  /**
   * The country of the request, stored when the session is created. Null for sessions that browsers write themselves.
   */
  readonly country: string | null;
}

/**
 * Stores a session or merges its totals into the stored one, with the same documents as the browser's adapter. The data
 * must be valid and its times clamped at `now`.
 */
export function saveSession(
  firestore: Firestore,
  start: SessionStart,
  now: number,
  { totals = INITIAL_TOTALS, view, country }: SessionReport,
) {
  const ref = firestore.collection(COLLECTIONS.sessions).doc(start.id);
  const erased = firestore.collection(COLLECTIONS.erasedSessions).doc(sha256(start.id));
  const visitor = firestore.collection(COLLECTIONS.visitors).doc(start.visitor_id);
  return transact(firestore, async (tx) => {
    const session = await tx.get(ref);
    if (session.exists) {
      const stored = toRecord(start, session);
      const merged = mergeSession(stored, clampDuration(totals, stored.session_start, now));
      // The rules allow browsers no change after a day, so later changes are only made here.
      const changes = { ...toTotals(merged), ...addView(session, view) };
      const row = sessionRow({ ...session.data(), ...changes });
      tx.update(ref, changes);
      if (row.at < now - DAY_MS) await changeRows(tx, [{ row, replacement: row }]);
      return;
    }
    const [erasure, seen] = await tx.getAll(erased, visitor);
    if (erasure?.exists) return;
    const { id: _, ...fields } = start;
    const expires_at = Timestamp.fromMillis(start.session_start + RETENTION_MS);
    const record = toSessionRecord(start, clampDuration(totals, start.session_start, now));
    const known = country === null ? {} : { country };
    tx.set(ref, { ...fields, ...known, ...toTotals(record), ...addView(session, view), expires_at });
    const lastSeen: unknown = seen?.get('last_seen');
    if (typeof lastSeen === 'number' && lastSeen >= start.session_start) return;
    const stored: unknown = seen?.get('expires_at');
    // A browser may be configured to store its visitor for longer.
    const isLonger = stored instanceof Timestamp && stored.valueOf() > expires_at.valueOf();
    tx.set(visitor, { last_seen: start.session_start, expires_at: isLonger ? stored : expires_at });
  });
}

/** Removes at most `limit` sessions and `limit` visitors from before `time`. Returns the number of documents. */
export async function pruneSessions(firestore: Firestore, time: number, limit: number): Promise<number> {
  const sessions = firestore.collection(COLLECTIONS.sessions).where('session_start', '<', time);
  const visitors = firestore.collection(COLLECTIONS.visitors).where('last_seen', '<', time);
  return (await deleteFirst(sessions, limit)) + (await deleteFirst(visitors, limit));
}

/** Returns the session's views including this one. If two tabs used the same number, the lower path is kept. */
function addView(session: DocumentSnapshot, view: PageView | undefined): DocumentData {
  if (view === undefined || view.number > MAX_FIRESTORE_VIEWS) return {};
  const known: unknown = session.get(new FieldPath('page_views', String(view.number)));
  const path = typeof known === 'string' && known < view.path ? known : view.path;
  return { page_views: { ...session.get('page_views'), [view.number]: path } };
}

/** Returns the fields that change during a session. `session_end` is omitted until it is known, as in browsers. */
function toTotals(record: SessionRecord) {
  const { session_end, ...totals } = splitTotals(record).totals;
  return { ...totals, is_bounce: record.is_bounce, ...(session_end === null ? {} : { session_end }) };
}

/** Returns the stored session. The start fields never change, so all but `session_start` can be taken from `start`. */
export function toRecord(start: SessionStart, session: DocumentSnapshot): SessionRecord {
  return toSessionRecord(
    { ...start, session_start: integer(session, 'session_start') },
    {
      session_end: integerOrNull(session, 'session_end'),
      page_count: integer(session, 'page_count'),
      total_duration: integer(session, 'total_duration'),
      max_scroll_depth: integer(session, 'max_scroll_depth'),
      click_count: integer(session, 'click_count'),
    },
  );
}
