import type { StorageAdapter } from '../../core/adapter.ts';
import { believableTimes, believableTotals } from '../../core/believable-times.ts';
import { StorageError } from '../../core/errors.ts';
import { CLOCK_TOLERANCE_MS, MAX_TOTAL } from '../../core/limits.ts';
import { INITIAL_TOTALS, isBounce } from '../../core/metrics.ts';
import type { SessionStart, SessionTotals } from '../../core/records.ts';
import type { Calls, Connection } from './connection.ts';
import { type Check, toRefusal } from './failure.ts';
import { merge, type Write } from './values.ts';

type Visit = SessionStart & SessionTotals;

/** The least that the rules allow, 31 days: the summary counts visitors for 30. */
const VISITOR_RETENTION_MS = 2_678_400_000;

/**
 * Every call writes the visit so far: whole (created if missing), or only its totals where the record is there. The rules
 * refuse a whole one that differs from the record in how the visit started; then the totals go alone.
 */
export function sessionMethods(
  { name, attempt, aheadMs }: Connection,
  retentionMs: number,
): Pick<StorageAdapter, 'startSession' | 'updateSession'> {
  /** The starts of sessions known to be stored, by id: each of their flushes is one request, even while a page is being closed. */
  const stored = new Map<string, number>();

  async function keep(calls: Calls, input: Visit, starts: boolean): Promise<boolean> {
    const ahead = aheadMs();
    const visit = toStoreTime(input, ahead ?? 0);
    const [whole, totals, visitor, seen] = writesOf(visit);
    const known = stored.has(visit.id);
    const done = anyDone(calls, known ? [totals, whole] : [whole, totals]);
    // Apart from the session, because equal devices share it and hold each other up; the next visit makes up for a loss.
    const noted = known || anyDone(calls, starts ? [visitor, seen] : [visitor]).catch(() => {});
    if (await done) {
      if (!known) stored.set(visit.id, visit.session_start);
      await noted;
      return true;
    }
    // Refused, perhaps because of a clock that is off. The store's own comes with every answer but a refusal.
    if (ahead !== undefined) return false;
    if (aheadMs() === undefined) await calls.readMissing();
    return aheadMs() !== undefined && keep(calls, input, starts);
  }

  /** The visit with times and a duration that the rules accept, given how far the store's clock is ahead of the visitor's. */
  function toStoreTime(visit: Visit, ahead: number): Visit {
    const now = Date.now() + ahead;
    const { session_start, session_end } = visit;
    // A clock that is days off is moved to the store's; any other stays, because all pages of a visit have to agree on its start.
    const shift = Math.abs(now - session_start) > CLOCK_TOLERANCE_MS ? ahead : 0;
    const moved = { ...visit, session_start: session_start + shift, session_end: session_end && session_end + shift };
    const believed = believableTimes(moved, now);
    return believableTotals(believed, stored.get(visit.id) ?? believed.session_start, now);
  }

  /** Of the whole visit, of its totals alone, of the visitor, and of the visitor without another expiry. */
  function writesOf({ id, session_end, page_count, total_duration, max_scroll_depth, click_count, ...start }: Visit) {
    const totals = { session_end, page_count, total_duration, max_scroll_depth, click_count };
    const is_bounce = isBounce(page_count);
    const expiry = (retention: number) => new Date(start.session_start + retention);
    const expires_at = expiry(retentionMs);
    const document = name('sessions', id);
    const visitor = name('visitors', start.visitor_id);
    const seen = { last_seen: start.session_start };
    return [
      merge(document, { ...start, is_bounce, expires_at }, totals),
      // What is one page view here may have been more in another tab.
      merge(document, is_bounce ? {} : { is_bounce }, totals, true),
      merge(visitor, { expires_at: expiry(Math.max(retentionMs, VISITOR_RETENTION_MS)) }, seen),
      // An expiry that is stored may be later than ours, and must not shrink.
      merge(visitor, {}, seen, true),
    ] as const;
  }

  const save = (visit: Visit, starts: boolean, check: Check, final?: boolean) =>
    attempt(async (calls) => {
      const { page_count, total_duration, max_scroll_depth, click_count } = visit;
      // The rules cannot see these, because a maximum and the bound of the duration hide them.
      if (
        Math.min(page_count - 1, total_duration, max_scroll_depth, click_count) < 0 ||
        total_duration > MAX_TOTAL.total_duration
      ) {
        throw new StorageError('invalid', 'a total is out of range');
      }
      if (!(await keep(calls, visit, starts))) throw await toRefusal(check);
    }, final);

  return {
    startSession: (session) =>
      save({ ...session, ...INITIAL_TOTALS }, true, ({ parseSessionStart }) => parseSessionStart(session)),
    updateSession: (id, update, { final } = {}) =>
      save(
        { id, ...update },
        false,
        ({ parseSessionId, parseSessionUpdate }) => {
          parseSessionId(id);
          parseSessionUpdate(update);
        },
        final,
      ),
  };
}

/** Tries the writes one after the other; the first leaves at once. */
async function anyDone({ commit }: Calls, writes: readonly Write[]): Promise<boolean> {
  for (const write of writes) if (await commit(write)) return true;
  return false;
}
