import { type AnalyticsSummary, analyticsWindowStart, toSummary } from 'early-access-kit/core';
import { readFigures } from './period-figures.ts';
import { HOUR_MS } from './periods.ts';
import { integer } from './row.ts';
import { sql, type Transaction } from './statement.ts';

/** Reads the analytics summary from the sums of the dashboard's figures, and rows at the window's edge only. Equals core's `summarize`. */
export function* readSummary(now: number): Transaction<AnalyticsSummary> {
  const [totals] = yield* sql`
    SELECT signups, (SELECT coalesce(max(hour) + 1, 0) FROM @analytics_hours) AS hours FROM @totals
  `;
  const start = analyticsWindowStart(now);
  const end = Math.max(integer(totals, 'hours') * HOUR_MS, Math.ceil(start / HOUR_MS) * HOUR_MS);
  const [figures] = yield* readFigures([{ start, end }], null);
  if (figures === undefined) throw new Error('the window has no figures');
  return toSummary(figures, figures.visitors, integer(totals, 'signups'));
}
