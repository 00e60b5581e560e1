import { type AnalyticsSummary, analyticsWindowStart, toSummary } from 'early-access-kit/core';
import { HOUR_MS } from '../sql/periods.ts';
import { integer } from '../sql/row.ts';
import { periodFigures } from './analytics/period-figures.ts';
import type { Queries } from './connection.ts';

/** The analytics summary from the sums of the dashboard's figures, and rows at the window's edge only. Equals core's `summarize`. */
export async function readSummary(sql: Queries, now: number): Promise<AnalyticsSummary> {
  const [totals] = await sql`
    SELECT signups, (SELECT coalesce(max(hour) + 1, 0) FROM early_access.analytics_hours) AS hours FROM early_access.totals
  `;
  const start = analyticsWindowStart(now);
  const end = Math.max(integer(totals, 'hours') * HOUR_MS, Math.ceil(start / HOUR_MS) * HOUR_MS);
  const [figures] = await periodFigures(sql).figures([{ start, end }], null);
  if (figures === undefined) throw new Error('the window has no figures');
  return toSummary(figures, figures.visitors, integer(totals, 'signups'));
}
