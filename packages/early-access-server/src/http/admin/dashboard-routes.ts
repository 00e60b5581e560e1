import { StorageError } from 'early-access-kit/core';
import type { DashboardResponse } from '../../app/admin/admin-api.ts';
import { type AnalyticsFilter, DIMENSIONS } from '../../app/analytics/analytics.ts';
import { analyticsRange } from '../../app/analytics/range.ts';
import type { AppContext } from '../route-context.ts';
import type { AdminRouter } from './admin-context.ts';

/** The longest value of a dimension that is stored. */
const MAX_VALUE_LENGTH = 1_024;

/** The figures of a period. */
export function dashboardRoutes({ get, json, service, store: { analytics } }: AdminRouter): void {
  /** The start of "all" has to be known before its bars. */
  async function firstStored(now: number): Promise<number | null> {
    return (await analytics.read({ buckets: [now], end: now + 1, previousStart: null, filter: {} })).first;
  }

  get('/dashboard', async (c) => {
    const now = service.clock();
    const filter = readFilter(c);
    const asked = c.req.query();
    const period = analyticsRange(asked, now, asked.range === 'all' ? await firstStored(now) : null);
    const { range, zone, bucket, ...query } = period;
    const figures = await analytics.read({ ...query, filter });
    const [start = query.end] = query.buckets;
    const progress = await analytics.progress();
    const response: DashboardResponse = { ...figures, range, zone, start, end: query.end, bucket, progress };
    return json(response);
  });
}

/** `filter=browser:Firefox`, once for each dimension. */
function readFilter(c: AppContext): AnalyticsFilter {
  const filter: { -readonly [Name in keyof AnalyticsFilter]: AnalyticsFilter[Name] } = {};
  for (const text of c.req.queries('filter') ?? []) {
    const colon = text.indexOf(':');
    const dimension = DIMENSIONS.find((name) => name === text.slice(0, colon));
    const value = text.slice(colon + 1);
    if (dimension === undefined || dimension in filter || value.length > MAX_VALUE_LENGTH) {
      throw new StorageError(
        'invalid',
        `filter must look like browser:Firefox, once for each of ${DIMENSIONS.join(', ')}`,
      );
    }
    filter[dimension] = value;
  }
  return filter;
}
