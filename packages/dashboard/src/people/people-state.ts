import {
  MAX_SEARCH_LENGTH,
  type MailState,
  PEOPLE_SORTS,
  PERSON_STATES,
  type PeopleSort,
  type PersonState,
} from 'early-access-server/admin-api';
import { isDay } from '../overview/overview-state.ts';
import { MAIL_LABELS } from '../ui/mail-badge.tsx';

/** Which people are listed. It is stored in the URL. Empty texts: any. */
export interface PeopleState {
  readonly search: string;
  readonly state: PersonState | '';
  readonly mail: MailState | 'none' | '';
  readonly source: string;
  readonly from: string;
  readonly to: string;
  readonly sort: PeopleSort;
  /** The id of the person whose record is open. */
  readonly person: string;
}

export const SORT_LABELS: Readonly<Record<PeopleSort, string>> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  email: 'By address',
};

/** Reads the state from the URL. What it does not understand is ignored. */
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
    from: day('from'),
    to: day('to'),
    sort: PEOPLE_SORTS.find((sort) => sort === params.get('sort')) ?? 'newest',
    person: params.get('person') ?? '',
  };
}

/** The state as query of the URL. Defaults are left out. */
export function writePeople({ sort, ...filter }: PeopleState): URLSearchParams {
  const params = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  if (sort !== 'newest') params.set('sort', sort);
  return params;
}

/** The filter as the server's routes under `/people` take it. */
export function peopleQuery({ search, sort: _, person: __, ...filter }: PeopleState, zone: string): URLSearchParams {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  if (search.trim() !== '') query.set('search', search.trim().toLowerCase());
  query.set('zone', zone);
  return query;
}

/** Whether anything but the order was chosen. */
export function isFiltered({ sort: _, person: __, ...filter }: PeopleState): boolean {
  return Object.values(filter).some((value) => value !== '');
}

function isMailFilter(text: string): text is keyof typeof MAIL_LABELS {
  return Object.hasOwn(MAIL_LABELS, text);
}
