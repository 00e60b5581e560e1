import type { StorageAdapter } from '../../core/adapter.ts';
import { believableTimes } from '../../core/believable-times.ts';
import { StorageError } from '../../core/errors.ts';
import { INITIAL_TOTALS, isBounce } from '../../core/metrics.ts';
import type { SessionStart, SessionTotals } from '../../core/records.ts';
import type { Calls, Connection } from './connection.ts';
import { type Check, toRefusal } from './failure.ts';
import { merge, type Write } from './values.ts';

type Visit = SessionStart & SessionTotals;

/**
 * Every call writes the visit so far: whole (created if missing), or only its totals where the record is there. The rules
 * refuse a whole one that differs from the record in how the visit started; then the totals go alone.
 */
export function sessionMethods(
  { name, attempt }: Connection,
  retentionMs: number,
): Pick<StorageAdapter, 'startSession' | 'updateSession'> {
  /** Visits known to be kept: each of their flushes is one request, even where a page is being closed. */
  const kept = new Set<string>();
  /** How far the store's clock is ahead of this one; known once it had to be asked for. */
  let aheadMs: number | undefined;

  async function keep(calls: Calls, input: Visit): Promise<boolean> {
    const visit = believableTimes(input, Date.now() + (aheadMs ?? 0));
    const [whole, totals, visitor] = writesOf(visit);
    const known = kept.has(visit.id);
    const done = anyDone(calls, known ? [totals, whole] : [whole, totals]);
    // Apart from the session, because equal devices share it and hold each other up; the next visit makes up for a loss.
    const seen = known || calls.commit(visitor).catch(() => {});
    if (await done) {
      kept.add(visit.id);
      await seen;
      return true;
    }
    // Refused, perhaps for a clock that is days off. The store's own comes with the answer to any read.
    const now = aheadMs === undefined && (await calls.readMissing());
    if (!now) return false;
    aheadMs = now - Date.now();
    return keep(calls, input);
  }

  /** Of the whole visit, of its totals alone, and of the visitor. */
  function writesOf({ id, session_end, page_count, total_duration, max_scroll_depth, click_count, ...start }: Visit) {
    const totals = { session_end, page_count, total_duration, max_scroll_depth, click_count };
    // The rules cannot see it, because a maximum hides it.
    if (Math.min(page_count - 1, total_duration, max_scroll_depth, click_count) < 0) {
      throw new StorageError('invalid', 'a total is too low');
    }
    const is_bounce = isBounce(page_count);
    const expires_at = new Date(start.session_start + retentionMs);
    const document = name('sessions', id);
    return [
      merge(document, { ...start, is_bounce, expires_at }, totals),
      // What is one page view here may have been more in another tab.
      merge(document, is_bounce ? {} : { is_bounce }, totals, true),
      merge(name('visitors', start.visitor_id), { expires_at }, { last_seen: start.session_start }),
    ] as const;
  }

  const save = (visit: Visit, check: Check, final?: boolean) =>
    attempt(async (calls) => {
      if (!(await keep(calls, visit))) throw await toRefusal(check);
    }, final);

  return {
    startSession: (session) =>
      save({ ...session, ...INITIAL_TOTALS }, ({ parseSessionStart }) => parseSessionStart(session)),
    updateSession: (id, update, { final } = {}) =>
      save(
        { id, ...update },
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
