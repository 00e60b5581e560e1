import type { SegmentNames } from 'early-access-server/admin-api';
import { expect, test } from 'vitest';
import {
  describeFilters,
  fromSegment,
  isFiltered,
  parseConditions,
  peopleFilter,
  readPeople,
  toggleSort,
  toSegment,
  withoutFilter,
  withoutReplaced,
  writePeople,
} from './people-state.ts';

const read = (query: string) => readPeople(new URLSearchParams(query));

test('a written state is read back unchanged', () => {
  const query =
    'search=%25_%25&state=invited&mail=failed&source=landing_page&import=2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d&from=2026-01-01&to=2026-02-01&person=7&sort=email';
  expect(writePeople(read(query)).toString()).toBe(query);
  expect(writePeople(read('')).toString()).toBe('');
});

test('invalid values are ignored, and the search has a maximum length', () => {
  const state = read(
    `state=lost&import=nothing&mail=toString&sort=random&from=yesterday&to=2026-13-01&search=${'a'.repeat(10_000)}`,
  );
  expect(state).toMatchObject({ state: '', import: '', mail: '', sort: 'newest', from: '', to: '' });
  expect(state.search).toHaveLength(254);
});

test('the server gets the filter without order and record, and the search as addresses are stored', () => {
  expect(peopleFilter(read('search=+Ada&sort=email&person=7&mail=none'), 'UTC')).toEqual({
    mail: 'none',
    search: 'ada',
    zone: 'UTC',
  });
});

test('an order or an open record is not a filter', () => {
  expect(isFiltered(read('sort=oldest&person=7'))).toBe(false);
  expect(isFiltered(read('source=landing_page'))).toBe(true);
});

const NAMES: SegmentNames = {
  fieldLabel: (name) => name,
  valueLabel: (_, value) => value,
  campaignSubject: () => undefined,
  importName: () => 'people.csv',
};
const listFilters = (query: string) => describeFilters(read(query), 'UTC', NAMES).map(({ text }) => text);

test('a period counts as one filter, each condition as one, and the search as none', () => {
  expect(listFilters('search=ada&sort=email')).toEqual([]);
  expect(listFilters('state=invited&mail=none&from=2026-01-01&to=2026-02-01')).toEqual([
    'is invited',
    'signed up from 1 Jan 2026 until 1 Feb 2026 (UTC)',
    'has had no email',
  ]);
  const conditions = { states: ['invited'], from: '2026-01-01', zone: 'Asia/Tokyo', fields: { size: '1', shop: true } };
  expect(listFilters(`mail=failed&segment=${JSON.stringify(conditions)}`)).toHaveLength(5);
});

test('one filter is removed, and the others stay', () => {
  const conditions = JSON.stringify({ language: 'de', from: '2026-01-01', zone: 'Asia/Tokyo' });
  const state = read(`search=ada&sort=email&state=invited&mail=sent&segment=${conditions}`);
  for (const { key, text } of describeFilters(state, 'UTC', NAMES)) {
    const rest = { ...state, ...withoutFilter(state, 'UTC', key) };
    const texts = describeFilters(state, 'UTC', NAMES).map((filter) => filter.text);
    expect(describeFilters(rest, 'UTC', NAMES).map((filter) => filter.text)).toEqual(
      texts.filter((other) => other !== text),
    );
    expect(rest).toMatchObject({ search: 'ada', sort: 'email' });
  }
});

test('a heading sorts by its column, and a second click reverses or undoes that', () => {
  expect([toggleSort('newest', 'date'), toggleSort('oldest', 'date'), toggleSort('email', 'date')]).toEqual([
    'oldest',
    'newest',
    'newest',
  ]);
  expect([toggleSort('oldest', 'email'), toggleSort('email', 'email')]).toEqual(['email', 'newest']);
});

const parseSegment = (query: string) => toSegment(read(query), 'UTC');

test('a segment in the URL is read in a fixed order, without invalid parts', () => {
  const query = new URLSearchParams({ segment: '{"language":"de","states":["lost","invited"],"other":1,"from":7}' });
  const state = readPeople(query);
  expect(state.segment).toBe('{"states":["invited"],"language":"de"}');
  expect(peopleFilter(state, 'UTC').segment).toEqual({ states: ['invited'], language: 'de' });
  for (const segment of ['', '{', '[]', 'null', '"x"', '{"states":[]}', '{}']) {
    expect(readPeople(new URLSearchParams({ segment })).segment).toBe('');
  }
});

test('a segment’s import becomes the filter of the list, and replaces one', () => {
  const id = '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d';
  const state = read(`import=${id}&segment=${JSON.stringify({ import: 'x', language: 'de' })}`);
  expect(describeFilters(state, 'UTC', NAMES)).toHaveLength(2);
  expect(toSegment(state, 'UTC')).toEqual({ import: id, language: 'de' });
  expect(fromSegment({ import: id }, 'UTC')).toMatchObject({ import: id, segment: '' });
  expect(withoutReplaced(state, { import: id }).segment).toBe('{"language":"de"}');
});

test.each([
  ['state=invited&source=blog&from=2026-01-01&to=2026-02-01', ''],
  ['from=2026-01-01', '{"language":"de","fields":{"role":true},"invited_days_ago":3}'],
  ['', '{"states":["subscribed","invited"],"from":"2026-01-01","zone":"Asia/Tokyo"}'],
])('a saved segment is shown in the same way (%s)', (query, segment) => {
  const state = read(`${query}&${new URLSearchParams({ segment })}`);
  expect({ ...read(''), ...fromSegment(toSegment(state, 'UTC'), 'UTC') }).toEqual(state);
});

test('a segment contains neither the search nor the state of emails, and its days are in the page’s zone', () => {
  expect(parseSegment('search=ada&mail=sent&sort=email&person=7')).toEqual({});
  expect(parseSegment('state=joined&from=2026-01-01')).toEqual({ states: ['joined'], from: '2026-01-01', zone: 'UTC' });
});

test('a field of the page replaces the condition on the same property', () => {
  const state = readPeople(
    new URLSearchParams({ segment: '{"states":["subscribed","invited"],"language":"de","to":"2026-01-01"}' }),
  );
  const replaced = (change: Parameters<typeof withoutReplaced>[1]) =>
    parseConditions(withoutReplaced(state, change).segment ?? '');
  expect(replaced({ state: 'joined' })).toEqual({ language: 'de', to: '2026-01-01' });
  expect(replaced({ from: '2025-01-01' })).toEqual({ states: ['subscribed', 'invited'], language: 'de' });
  expect(replaced({ state: '', mail: 'sent' })).toEqual(parseConditions(state.segment));
  expect(withoutReplaced(state, { segment: '' })).toEqual({ segment: '' });
});
