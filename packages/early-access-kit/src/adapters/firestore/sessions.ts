import type { StorageAdapter } from '../../core/adapter.ts';
import { StorageError } from '../../core/errors.ts';
import { INITIAL_TOTALS, isBounce } from '../../core/metrics.ts';
import type { Calls, Connection } from './calls.ts';
import type { WholeSession } from './refusal.ts';
import { merge, type Write } from './values.ts';

/** The rules allow a duration a minute more than has passed by their clock; a clock that is further off has to be corrected for. */
const HARMLESS_MS = 60_000;

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

  /** Corrects for a visitor's clock that is off. Loaded once the store has answered that it is: most pages never need it. */
  let correct: typeof import('./refusal.ts').toStoreTime | undefined;

  async function save(calls: Calls, input: WholeSession, starts: boolean): Promise<boolean> {
    const known = stored.has(input.id);
    const visit = correct ? correct(input, stored.get(input.id), aheadMs() ?? 0) : input;
    const [whole, totals, visitor, seen] = writesOf(visit);
    const done = anyDone(calls, known ? [totals, whole] : [whole, totals]);
    // Apart from the session, because equal devices share it and hold each other up; the next visit makes up for a loss.
    const noted = known || anyDone(calls, starts ? [visitor, seen] : [visitor]).catch(() => {});
    if (await done) {
      if (!known) stored.set(visit.id, visit.session_start);
      await noted;
      if (!correct && Math.abs(aheadMs() ?? 0) > HARMLESS_MS)
        correct = await import('./refusal.ts').then(
          ({ toStoreTime }) => toStoreTime,
          () => undefined,
        );
      return true;
    }
    if (correct) return false;
    // Refused, perhaps because of a clock that is off. The store's own comes with every answer but a refusal.
    const { readControl, toStoreTime } = await import('./refusal.ts');
    if (aheadMs() === undefined) await readControl(calls, name);
    if (aheadMs() === undefined) return false;
    correct = toStoreTime;
    return save(calls, input, starts);
  }

  /** Of the whole visit, of its totals alone, of the visitor, and of the visitor without another expiry. */
  function writesOf({
    id,
    session_end,
    page_count,
    total_duration,
    max_scroll_depth,
    click_count,
    ...start
  }: WholeSession) {
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

  const saveOrReject = (session: WholeSession, starts: boolean, final?: boolean) =>
    attempt(async (calls) => {
      const { page_count, total_duration, max_scroll_depth, click_count } = session;
      // The rules cannot see it, because a maximum hides it.
      if (Math.min(page_count - 1, total_duration, max_scroll_depth, click_count) < 0) {
        throw new StorageError('invalid', 'a total is too low');
      }
      if (!(await save(calls, session, starts))) throw (await import('./refusal.ts')).sessionRefusal(session);
    }, final);

  return {
    startSession: (session) => saveOrReject({ ...session, ...INITIAL_TOTALS }, true),
    updateSession: (id, update, { final } = {}) => saveOrReject({ id, ...update }, false, final),
  };
}

/** Tries the writes one after the other; the first leaves at once. */
async function anyDone({ commit }: Calls, writes: readonly Write[]): Promise<boolean> {
  for (const write of writes) if (await commit(write)) return true;
  return false;
}
