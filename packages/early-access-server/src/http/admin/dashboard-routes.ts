import type { DashboardResponse } from '../../app/admin/admin-api.ts';
import { analyticsRange } from '../../app/analytics/range.ts';
import { dashboard, dashboardQuery } from '../schemas/analytics.ts';
import type { AdminRouter } from './admin-context.ts';

/** The figures of a period. */
export function dashboardRoutes({ read, json, service, store: { analytics } }: AdminRouter): void {
  /** The start of "all" has to be known before its bars. */
  async function firstStored(now: number): Promise<number | null> {
    return (await analytics.read({ buckets: [now], end: now + 1, previousStart: null, filter: {} })).first;
  }

  const route = { summary: 'The figures of a period.', query: dashboardQuery, responses: { 200: dashboard } };
  read('numbers', '/dashboard', route, async ({ query: { filter = {}, ...asked } }) => {
    const now = service.clock();
    const period = analyticsRange(asked, now, asked.range === 'all' ? await firstStored(now) : null);
    const { range, zone, bucket, ...query } = period;
    const figures = await analytics.read({ ...query, filter });
    const [start = query.end] = query.buckets;
    const progress = await analytics.progress();
    const response: DashboardResponse = { ...figures, range, zone, start, end: query.end, bucket, progress };
    return json(response);
  });
}
