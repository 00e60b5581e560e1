import { analyticsRange } from '../../app/analytics/range.ts';
import type { AnalyticsStore } from '../../app/ports/analytics-store.ts';
import { dashboard, dashboardQuery } from '../server/schemas/analytics.ts';
import { type AdminRouter, route } from './admin-route.ts';

/** The figures of a period. */
export function dashboardRoutes(router: AdminRouter): void {
  const { analytics } = router.store;
  route(router, {
    method: 'get',
    path: '/dashboard',
    scope: 'analytics',
    summary: 'The figures of a period.',
    query: dashboardQuery,
    response: dashboard,
    async respond({ query: { filter = {}, ...asked } }) {
      const now = router.service.clock();
      const period = analyticsRange(asked, now, asked.range === 'all' ? await firstStored(analytics, now) : null);
      const { range, compare, zone, bucket, ...query } = period;
      const { previousStart, previousEnd } = query;
      const figures = await analytics.read({ ...query, filter });
      const [start = query.end] = query.buckets;
      const [progress, failure] = [await analytics.progress(), await analytics.failure()];
      const compared = previousStart === null ? null : { start: previousStart, end: previousEnd };
      return { ...figures, range, compare, zone, start, end: query.end, compared, bucket, progress, failure };
    },
  });
}

/** The start of "all" has to be known before its bars. */
async function firstStored(analytics: AnalyticsStore, now: number): Promise<number | null> {
  return (await analytics.read({ buckets: [now], end: now + 1, previousStart: null, filter: {} })).first;
}
