import type { DatabaseSync } from 'node:sqlite';
import { clampDuration, INITIAL_TOTALS, mergeSession, toSessionRecord } from 'early-access-kit/internal';
import { sha256 } from '../../app/access/secrets.ts';
import { addPageView, type PageView } from '../../app/analytics/page-views.ts';
import { SESSION_COLUMNS, toSessionRow, toTotals } from '../sql/record-rows.ts';
import { integer, textOrNull } from '../sql/row.ts';
import type { SessionWrite } from '../sql/sql-store.ts';
import type { Counting } from './analytics/counting.ts';
import { prepareInsert } from './insert.ts';

/**
 * Returns a function that stores a session, or merges totals into the stored one. Ignores erased sessions. The data
 * must be valid, with times clamped to `now`. Must run inside a transaction.
 */
export function sessionWriter(db: DatabaseSync, counting: Counting): (write: SessionWrite) => void {
  const find = db.prepare(`
    SELECT page_views, session_start, session_end, page_count, total_duration, max_scroll_depth, click_count FROM sessions WHERE id = ?
  `);
  const insert = prepareInsert(db, 'sessions', `${SESSION_COLUMNS}, previous_start`);
  const TOTALS =
    'session_end = ?, page_count = ?, total_duration = ?, max_scroll_depth = ?, click_count = ?, is_bounce = ?';
  const update = db.prepare(`UPDATE sessions SET ${TOTALS} WHERE id = ?`);
  // A separate statement, because setting the column runs its triggers.
  const updateWithViews = db.prepare(`UPDATE sessions SET ${TOTALS}, page_views = ? WHERE id = ?`);
  const findErased = db.prepare('SELECT 1 FROM erased_sessions WHERE id_hash = ?');

  /** Adds the view to the views of a session that started at `time`. Returns null if nothing changes. */
  function addView(stored: string | null, view: PageView | undefined, time: number): string | null {
    return view === undefined ? null : addPageView(stored, { ...view, path: counting.limitPath(view.path, time) });
  }

  return ({ start, totals, view, country = null, now }) => {
    const row = find.get(start.id);
    if (row === undefined) {
      if (findErased.get(sha256(start.id)) !== undefined) return;
      const session = toSessionRecord(start, clampDuration(totals ?? INITIAL_TOTALS, start.session_start, now));
      const placed = counting.placeSession({ ...session, country });
      insert({ ...toSessionRow(session), ...placed, country, page_views: addView(null, view, start.session_start) });
      return;
    }
    if (totals === undefined) return;
    // The start fields never change after they were stored; only totals are merged and written.
    const session_start = integer(row, 'session_start');
    const stored = toSessionRecord({ ...start, session_start }, toTotals(row));
    const merged = mergeSession(stored, clampDuration(totals, session_start, now));
    const values = [
      merged.session_end,
      merged.page_count,
      merged.total_duration,
      merged.max_scroll_depth,
      merged.click_count,
      Number(merged.is_bounce),
    ];
    const views = addView(textOrNull(row, 'page_views'), view, session_start);
    if (views === null) update.run(...values, start.id);
    else updateWithViews.run(...values, views, start.id);
  };
}
