import type { PeopleFilter, PeopleQuery } from '../../app/admin/people.ts';
import { analyticsRange } from '../../app/analytics/range.ts';
import type { PeopleFilterInput, PeopleQueryInput } from '../server/schemas/people.ts';

/** `from` and `to` are days in the time zone `zone`, both included. */
export function toFilter(input: PeopleFilterInput, now: number): PeopleFilter {
  const { search = '', state = null, mail = null, source = null, from, to, zone } = input;
  const day = (text: string) => analyticsRange({ range: 'custom', from: text, to: text, zone }, now, null);
  return {
    search: search.toLowerCase(),
    state,
    mail,
    source,
    from: from === undefined ? null : (day(from).buckets[0] ?? null),
    to: to === undefined ? null : day(to).end,
  };
}

export function toPageQuery({ sort, limit, after, ...filter }: PeopleQueryInput, now: number): PeopleQuery {
  return { ...toFilter(filter, now), sort, limit, after: after ?? null };
}
