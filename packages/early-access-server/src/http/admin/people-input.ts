import { findPeriod } from '../../app/analytics/range.ts';
import { describeFilter } from '../../app/people/describe-filter.ts';
import type { PeopleFilter, PeopleQuery } from '../../app/people/people.ts';
import type { Segment } from '../../app/people/segment.ts';
import type { PeopleFilterInput, PeopleQueryInput } from '../routing/schemas/people.ts';
import type { AdminRouter } from './admin-route.ts';

type Router = Pick<AdminRouter, 'service' | 'store'>;

/** `from` and `to` are days in the time zone `zone`, both included. */
export function toFilter(input: PeopleFilterInput, router: Router): PeopleFilter {
  const { search = '', state = null, mail = null, source = null, import: file = null, from, to, zone, segment } = input;
  const now = router.service.clock();
  checkSegment(router, segment);
  return {
    search: search.toLowerCase(),
    state,
    mail,
    source,
    import: file,
    ...findPeriod({ from, to, zone }, now),
    ...(segment && { segment: { conditions: segment, at: now } }),
  };
}

export function toPageQuery({ sort, limit, after, ...filter }: PeopleQueryInput, router: Router): PeopleQuery {
  return { ...toFilter(filter, router), sort, limit, after: after ?? null };
}

/** The filter's part of an audit log entry. */
export function nameFilter(filter: PeopleFilter): { readonly filter?: string } {
  const text = describeFilter(filter);
  return text === undefined ? {} : { filter: text };
}

/** Throws a `StorageError` if a day or the zone does not exist. */
export function checkSegment({ service }: Pick<AdminRouter, 'service'>, conditions: Segment | undefined): void {
  if (conditions !== undefined) findPeriod(conditions, service.clock());
}
