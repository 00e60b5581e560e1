import type { PeopleFilter, PeopleQuery } from '../../app/admin/people.ts';
import { findPeriod } from '../../app/analytics/range.ts';
import type { Segment } from '../../app/list/segment.ts';
import type { SegmentStore } from '../../app/ports/segment-store.ts';
import type { Store } from '../../app/ports/store.ts';
import { Failure } from '../server/failure.ts';
import type { PeopleFilterInput, PeopleQueryInput } from '../server/schemas/people.ts';
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

/**
 * Throws a `Failure` for conditions that the store cannot evaluate, without which more people would match, or a `StorageError` for days or
 * a zone that do not exist.
 */
export function checkSegment({ store, service }: Router, conditions: Segment | undefined): void {
  if (conditions === undefined) return;
  requireSegments(store);
  findPeriod(conditions, service.clock());
}

export function requireSegments({ segments }: Pick<Store, 'segments'>): SegmentStore {
  if (segments !== null) return segments;
  throw new Failure(400, 'invalid', 'this database has no segments; SQLite and Postgres have them');
}
