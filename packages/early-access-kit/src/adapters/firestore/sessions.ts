import type { StorageAdapter } from '../../core/adapter.ts';
import { StorageError } from '../../core/errors.ts';
import { MAX_FIRESTORE_VIEWS } from '../../core/limits.ts';
import { INITIAL_TOTALS, isBounce, splitTotals } from '../../core/metrics.ts';
import type { Calls, Connection } from './calls.ts';
import { loadOnDemand } from './load-on-demand.ts';
import type { FullSession } from './on-demand.ts';
import { merge, type Write } from './values.ts';

/**
 * The rules allow the duration to exceed the elapsed time on their clock by a minute. A clock with a larger error needs
 * correction.
 */
const MAX_CLOCK_ERROR_MS = 60_000;

/** The minimum that the rules allow, 31 days: the summary counts visitors for 30. */
const VISITOR_RETENTION_MS = 2_678_400_000;

/**
 * Every call writes the session so far: the whole record (created if missing), or only its totals if the record exists.
 * The rules deny a whole record whose start fields differ from the stored ones; then only the totals are written.
 */
export function sessionMethods(
  { name, attempt, aheadMs }: Connection,
  retentionMs: number,
): Pick<StorageAdapter, 'startSession' | 'updateSession'> {
  /**
   * Starts of sessions known to be stored, by id. Each of their updates is a single request, even while the page is
   * being closed.
   */
  const stored = new Map<string, number>();

  /** Corrects a wrong visitor clock. Loaded only after a response shows that the clock is off. */
  let correct: typeof import('./on-demand.ts').toStoreTime | undefined;

  async function save(calls: Calls, input: FullSession, starts: boolean): Promise<boolean> {
    const known = stored.has(input.id);
    const session = correct ? correct(input, stored.get(input.id), aheadMs() ?? 0) : input;
    const [full, totals, visitor, ...again] = buildWrites(session);
    const saved = anyDone(calls, known ? [totals, full] : [full, totals]);
    // Separate from the session, because identical devices share and contend for this document. The next session makes
    // up for a lost write.
    const visitorSaved = known || anyDone(calls, starts ? [visitor, ...again] : [visitor]).catch(() => {});
    if (await saved) {
      if (!known) stored.set(session.id, session.session_start);
      await visitorSaved;
      if (!correct && Math.abs(aheadMs() ?? 0) > MAX_CLOCK_ERROR_MS)
        correct = await loadOnDemand().then(
          ({ toStoreTime }) => toStoreTime,
          () => undefined,
        );
      return true;
    }
    if (correct) return false;
    // Denied, possibly because of a wrong clock. Every response includes the store's time, except a denial.
    const { readTime, toStoreTime } = await loadOnDemand();
    if (aheadMs() === undefined && !(await readTime(calls, name))) return false;
    correct = toStoreTime;
    return save(calls, input, starts);
  }

  /**
   * Returns the writes for the whole session, its totals alone, the visitor, the visitor with the stored expiry, and
   * the visitor in place of a stored time in the future.
   */
  function buildWrites(session: FullSession) {
    const {
      totals,
      page_path,
      start: { id, ...start },
    } = splitTotals(session);
    const { session_end, page_count } = totals;
    const is_bounce = isBounce(page_count);
    const isView = session_end === null && !is_bounce && page_count <= MAX_FIRESTORE_VIEWS && page_path !== undefined;
    const view = isView ? { page_views: { [page_count]: page_path } } : {};
    const expiry = (retention: number) => new Date(start.session_start + retention);
    const expires_at = expiry(retentionMs);
    const document = name('sessions', id);
    const visitor = name('visitors', start.visitor_id);
    const lastSeen = { last_seen: start.session_start };
    return [
      merge(document, { ...start, is_bounce, expires_at, ...view }, totals),
      // Another tab may have counted more page views than this one.
      merge(document, is_bounce ? {} : { is_bounce, ...view }, totals, true),
      merge(visitor, { expires_at: expiry(Math.max(retentionMs, VISITOR_RETENTION_MS)) }, lastSeen),
      // The stored expiry may be later than this one and must not be shortened.
      merge(visitor, {}, lastSeen, true),
      merge(visitor, lastSeen, {}, true),
    ] as const;
  }

  const saveOrReject = (session: FullSession, starts: boolean, final?: boolean) =>
    attempt(async (calls) => {
      const { page_count, total_duration, max_scroll_depth, click_count } = session;
      // Checked here, because merging by maximum hides it from the rules.
      if (Math.min(page_count - 1, total_duration, max_scroll_depth, click_count) < 0) {
        throw new StorageError('invalid', 'a total is too low');
      }
      if (!(await save(calls, session, starts))) throw (await loadOnDemand()).sessionRefusal(session);
    }, final);

  return {
    startSession: (session) => saveOrReject({ ...session, ...INITIAL_TOTALS }, true),
    updateSession: (id, update, { final } = {}) => saveOrReject({ id, ...update }, false, final),
  };
}

/** Tries the writes in order; the first one is sent synchronously. */
async function anyDone({ commit }: Calls, writes: readonly Write[]): Promise<boolean> {
  for (const write of writes) if (await commit(write)) return true;
  return false;
}
