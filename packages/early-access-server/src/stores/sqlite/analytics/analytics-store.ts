import type { DatabaseSync } from 'node:sqlite';
import { type Analytics, type AnalyticsStore, TALLIES, type Tallies } from '../../../app/analytics/analytics.ts';

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
