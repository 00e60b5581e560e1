import type { DatabaseSync } from 'node:sqlite';
import { type Analytics, type AnalyticsStore, TALLIES, type Tallies } from '../../../app/analytics/analytics.ts';
import { integer } from '../../sql/row.ts';

/** The figures of the dashboard, read synchronously. */
export interface SqliteAnalyticsStore extends AnalyticsStore {
  read(...query: Parameters<AnalyticsStore['read']>): Analytics;
  progress(): number;
}

/** Adds to the tallies of an hour; one member of a transaction. */
export function tallyTable(db: DatabaseSync): (tallies: Tallies, now: number) => void {
  const add = db.prepare(`
    INSERT INTO analytics_hours (hour, ${TALLIES.join(', ')}) VALUES (:hour, ${TALLIES.map((tally) => `:${tally}`).join(', ')})
    ON CONFLICT DO UPDATE SET ${TALLIES.map((tally) => `${tally} = ${tally} + excluded.${tally}`).join(', ')}
  `);
  return (tallies, now) => void add.run({ hour: Math.floor(now / 3_600_000), ...tallies });
}

/**
 * How many of the sessions are counted. Rows are counted in the order of their ids, so the place of the first that is not, is enough:
 * counting all of them takes longer than a request may.
 */
export function countingProgress(db: DatabaseSync): () => number {
  const find = db.prepare(`
    SELECT (SELECT rowid FROM sessions WHERE touch_id IS NULL ORDER BY rowid LIMIT 1) AS uncounted,
      (SELECT min(rowid) FROM sessions) AS first, (SELECT max(rowid) FROM sessions) AS last,
      EXISTS (SELECT 1 FROM email_signups WHERE touch_id IS NULL) AS signups_left
  `);
  return () => {
    const row = find.get();
    if (row?.uncounted === null) return integer(row, 'signups_left') === 1 ? 0.99 : 1;
    const [uncounted, first, last] = [integer(row, 'uncounted'), integer(row, 'first'), integer(row, 'last')];
    return (uncounted - first) / (last - first + 1);
  };
}
