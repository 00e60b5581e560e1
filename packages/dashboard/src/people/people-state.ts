import {
  MAX_SEARCH_LENGTH,
  type MailState,
  PEOPLE_SORTS,
  PERSON_STATES,
  type PeopleSort,
  type PersonState,
  type Segment,
  type SegmentNames,
} from 'early-access-server/admin-api';
import { describeConditions, readSegment, removeCondition } from 'early-access-server/admin-pages';
import { isDay } from '../overview/overview-state.ts';
import { MAIL_LABELS } from '../ui/mail-badge.tsx';

/** Which people are listed. Stored in the URL, except for `TEXTS`. An empty string matches anything. */
export interface PeopleState {
  readonly search: string;
  readonly state: PersonState | '';
  readonly mail: MailState | 'none' | '';
  readonly source: string;
  /** The id of the import that added them. */
  readonly import: string;
  readonly from: string;
  readonly to: string;
  /** Further conditions, as the JSON of a segment. */
  readonly segment: string;
  readonly sort: PeopleSort;
  /** The id of the person whose record is open. */
  readonly person: string;
}

export const SORT_LABELS: Readonly<Record<PeopleSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  email: 'By address',
};

const MAX_CONDITIONS_LENGTH = 4_000;

/** Reads the state from the URL. Invalid values are ignored. */
export function readPeople(params: URLSearchParams): PeopleState {
  const day = (name: string) => {
    const text = params.get(name) ?? '';
    return isDay(text) ? text : '';
  };
  const mail = params.get('mail') ?? '';
  return {
    search: (params.get('search') ?? '').slice(0, MAX_SEARCH_LENGTH),
    state: PERSON_STATES.find((state) => state === params.get('state')) ?? '',
    mail: isMailFilter(mail) ? mail : '',
    source: params.get('source') ?? '',
    import: /^[\da-f-]{36}$/.exec(params.get('import') ?? '')?.[0] ?? '',
    from: day('from'),
    to: day('to'),
    segment: writeConditions(parseConditions(params.get('segment') ?? '')),
    sort: PEOPLE_SORTS.find((sort) => sort === params.get('sort')) ?? 'newest',
    person: params.get('person') ?? '',
  };
}

/** Returns the state as a query string. Defaults are left out. */
export function writePeople({ sort, ...filter }: PeopleState): URLSearchParams {
  const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  if (sort !== 'newest') params.set('sort', sort);
  return params;
}

/** Properties of the state that may contain an address. */
export const TEXTS = ['search', 'source', 'segment'] as const;

/** The request body's filter in requests about people. */
export type PeopleFilter = Readonly<Record<string, unknown>>;

/** Converts the state to the filter that the server's routes accept. */
export function peopleFilter(
  { search, segment, sort: _, person: __, ...filter }: PeopleState,
  zone: string,
): PeopleFilter {
  const typed = search.trim().toLowerCase();
  return {
    ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')),
    ...(typed !== '' && { search: typed }),
    ...(segment !== '' && { segment: parseConditions(segment) }),
    zone,
  };
}

/** Returns whether any filter is set. The sort order does not count. */
export function isFiltered({ sort: _, person: __, ...filter }: PeopleState): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** Parses conditions from JSON. Invalid ones are ignored. */
export function parseConditions(json: string): Segment {
  try {
    return readSegment(JSON.parse(json.slice(0, MAX_CONDITIONS_LENGTH)));
  } catch {
    return {};
  }
}

export function writeConditions(conditions: Segment): string {
  return Object.keys(conditions).length === 0 ? '' : JSON.stringify(conditions);
}

/** The part of the filter that a segment saves: everything but the search and the state of emails. */
export function toSegment({ state, source, import: file, from, to, segment }: PeopleState, zone: string): Segment {
  return readSegment({
    ...parseConditions(segment),
    ...(state !== '' && { states: [state] }),
    ...(source !== '' && { source }),
    ...(file !== '' && { import: file }),
    ...((from !== '' || to !== '') && { from, to, zone }),
  });
}

/**
 * Returns the filter of a segment. Days in another zone stay a condition, because the page's date fields are in `zone`.
 */
export function fromSegment(segment: Segment, zone: string): Partial<PeopleState> {
  const { states = [], source = '', import: file = '', from = '', to = '', zone: ofDays, ...others } = segment;
  const [state = '', ...moreStates] = states;
  const days = ofDays === zone ? { from, to } : { from: '', to: '' };
  const rest = {
    ...others,
    ...(moreStates.length > 0 && { states }),
    ...(ofDays !== zone && { from, to, zone: ofDays }),
  };
  return {
    state: moreStates.length > 0 ? '' : state,
    source,
    import: file,
    ...days,
    segment: writeConditions(readSegment(rest)),
  };
}

/** The filters except the search, each with a key for `withoutFilter`. */
export function describeFilters(state: PeopleState, zone: string, names: SegmentNames) {
  const conditions = describeConditions(toSegment(state, zone), names);
  if (state.mail === '') return conditions;
  const mail = state.mail === 'none' ? 'has had no email' : `last email is ${MAIL_LABELS[state.mail].toLowerCase()}`;
  return [...conditions, { key: 'mail', text: mail }];
}

/** Returns the change that removes one of the filters of `describeFilters`. */
export function withoutFilter(state: PeopleState, zone: string, key: string): Partial<PeopleState> {
  return key === 'mail' ? { mail: '' } : fromSegment(removeCondition(toSegment(state, zone), key), zone);
}

/** Returns the order after a click on a column's heading. Addresses cannot be sorted in reverse. */
export function toggleSort(sort: PeopleSort, column: 'email' | 'date'): PeopleSort {
  if (column === 'email') return sort === 'email' ? 'newest' : 'email';
  return sort === 'newest' ? 'oldest' : 'newest';
}

/** Returns the change without the conditions that it replaces. */
export function withoutReplaced(state: PeopleState, change: Partial<PeopleState>): Partial<PeopleState> {
  if ('segment' in change) return change;
  const replaced = [
    change.state && 'states',
    change.source && 'source',
    change.import && 'import',
    (change.from || change.to) && 'period',
  ].filter((key) => typeof key === 'string');
  const conditions = replaced.reduce(removeCondition, parseConditions(state.segment));
  return { ...change, segment: writeConditions(conditions) };
}

function isMailFilter(text: string): text is keyof typeof MAIL_LABELS {
  return Object.hasOwn(MAIL_LABELS, text);
}
