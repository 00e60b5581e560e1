import type { SessionUpdate } from 'early-access-kit/core';
import type { PageRow } from './analytics.ts';
import { BreakdownSums } from './breakdown.ts';

/**
 * Views of a session that are stored with their paths. Later views only increase its `page_count`, which keeps the row
 * small.
 */
const MAX_VIEWS = 100;

/** A page view other than the session's first, whose path is in `landing_path`. */
export interface PageView {
  /** The session's `page_count` including this view. */
  readonly number: number;
  readonly path: string;
}

/**
 * Returns the page view that an update reports, if any. The tracker sends an update for each view; only the other
 * updates have an end.
 */
export function toPageView({ session_end, page_count, page_path }: SessionUpdate): PageView | undefined {
  const isView = session_end === null && page_count > 1 && page_count <= MAX_VIEWS;
  return isView && page_path !== undefined ? { number: page_count, path: page_path } : undefined;
}

/**
 * Adds a view to a session's views, stored as JSON such as `[[2,"/prices"]]` or null. If two tabs use the same number,
 * the lower path wins, so that the result does not depend on order or repetition. Returns null if nothing changes.
 */
export function addPageView(stored: string | null, { number, path }: PageView): string | null {
  const views: readonly (readonly [number, string])[] = stored === null ? [] : JSON.parse(stored);
  const known = views.find(([other]) => other === number);
  if (known !== undefined && known[1] <= path) return null;
  return JSON.stringify([...views.filter((view) => view !== known), [number, path]]);
}

/** The paths of a session's stored views, ordered by number. */
export function listViewedPaths(stored: string | null): readonly string[] {
  const views: readonly (readonly [number, string])[] = stored === null ? [] : JSON.parse(stored);
  return views.toSorted(([a], [b]) => a - b).map(([, path]) => path);
}

export function listPages(addAll: (add: (path: string, views: number) => void) => void): readonly PageRow[] {
  const sums = new BreakdownSums();
  addAll((path, views) => sums.add(path, { visitors: views, signups: 0, joined: 0 }));
  return sums.rows().map(({ value, visitors }) => ({ value, views: visitors }));
}
