import { firstSteps } from '../../app/admin/first-steps.ts';
import { analyticsRange } from '../../app/analytics/range.ts';
import type { AnalyticsStore } from '../../app/ports/analytics-store.ts';
import { dashboard, dashboardQuery } from '../routing/schemas/analytics.ts';
import { firstStepsResponse } from '../routing/schemas/server.ts';
import { type AdminRouter, route } from './admin-route.ts';

export function dashboardRoutes(router: AdminRouter): void {
  const { analytics } = router.store;
  route(router, {
    method: 'get',
    path: '/dashboard',
    scope: ['analytics', 'overview'],
    summary: 'The figures of a period.',
    details: 'The key of an overview link may read them.',
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
  route(router, {
    method: 'get',
    path: '/first-steps',
    scope: 'analytics',
    // Only admins can complete the steps.
    needs: [],
    summary: 'The first steps, and which of them are done.',
    response: firstStepsResponse,
    async respond() {
      const { service, store } = router;
      const now = service.clock();
      const first = await firstStored(analytics, now);
      const all = { buckets: [first ?? now], end: now + 1, previousStart: null, filter: {} };
      const hasSignups = first !== null && (await analytics.read(all)).figures.signups > 0;
      const [facts, { siteUrl }] = [await store.facts(), await service.health()];
      return {
        store: facts.store,
        site_url: siteUrl.href,
        steps: firstSteps({ transport: service.mailTransport, hasVisits: first !== null, hasSignups, facts }),
      };
    },
  });
}

/** The bars of "all" depend on its start, so that is read first. */
async function firstStored(analytics: AnalyticsStore, now: number): Promise<number | null> {
  return (await analytics.read({ buckets: [now], end: now + 1, previousStart: null, filter: {} })).first;
}
