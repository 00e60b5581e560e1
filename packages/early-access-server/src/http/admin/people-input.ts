import { StorageError } from 'early-access-kit/core';
import {
  MAX_BULK,
  MAX_PAGE,
  MAX_SEARCH_LENGTH,
  PEOPLE_SORTS,
  type PeopleFilter,
  type PeopleQuery,
} from '../../app/admin/people.ts';
import { analyticsRange } from '../../app/analytics/range.ts';
import { fieldOf } from '../../app/field-of.ts';
import { PERSON_STATES } from '../../app/list/states.ts';
import { MAIL_STATES } from '../../app/mail/message.ts';
import type { AppContext } from '../route-context.ts';
import { oneOfParam, textParam, wholeNumberParam } from './admin-input.ts';

const DEFAULT_PAGE = 50;
const MAX_SOURCE_LENGTH = 1_000;
const MAX_CURSOR_LENGTH = 2_000;

/** `from` and `to` are days in the time zone `zone`, both included. */
export function readFilter(c: AppContext, now: number): PeopleFilter {
  const { from, to, zone } = c.req.query();
  const day = (text: string) => analyticsRange({ range: 'custom', from: text, to: text, zone }, now, null);
  return {
    search: (textParam(c, 'search', MAX_SEARCH_LENGTH) ?? '').toLowerCase(),
    state: oneOfParam(c, 'state', PERSON_STATES),
    mail: oneOfParam(c, 'mail', [...MAIL_STATES, 'none']),
    source: textParam(c, 'source', MAX_SOURCE_LENGTH),
    from: from ? (day(from).buckets[0] ?? null) : null,
    to: to ? day(to).end : null,
  };
}

export function readPeopleQuery(c: AppContext, now: number): PeopleQuery {
  return {
    ...readFilter(c, now),
    sort: oneOfParam(c, 'sort', PEOPLE_SORTS) ?? 'newest',
    limit: wholeNumberParam(c, 'limit', 1, MAX_PAGE) ?? DEFAULT_PAGE,
    after: textParam(c, 'after', MAX_CURSOR_LENGTH),
  };
}

/** The ids that an action concerns, each once. */
export function readIds(body: unknown): readonly string[] {
  const ids = fieldOf(body, 'ids');
  const isList = (value: unknown): value is readonly string[] =>
    Array.isArray(value) && value.every((id) => typeof id === 'string' && id.length <= 100);
  if (!isList(ids) || ids.length === 0 || ids.length > MAX_BULK) {
    throw new StorageError('invalid', `ids must list 1 to ${MAX_BULK} people`);
  }
  return [...new Set(ids)];
}
