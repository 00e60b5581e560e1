import { expect, test } from 'vitest';
import {
  countFilters,
  fromSegment,
  isFiltered,
  parseConditions,
  peopleQuery,
  readPeople,
  toSegment,
  withoutReplaced,
  writePeople,
} from './people-state.ts';

const read = (query: string) => readPeople(new URLSearchParams(query));

test('what is written is read again', () => {
  const query =
    'search=%25_%25&state=invited&mail=failed&source=landing_page&import=2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d&from=2026-01-01&to=2026-02-01&person=7&sort=email';
  expect(writePeople(read(query)).toString()).toBe(query);
  expect(writePeople(read('')).toString()).toBe('');
});

test('what is not understood is ignored, and a search is bounded', () => {
  const state = read(
    `state=lost&import=nothing&mail=toString&sort=random&from=yesterday&to=2026-13-01&search=${'a'.repeat(10_000)}`,
  );
  expect(state).toMatchObject({ state: '', import: '', mail: '', sort: 'newest', from: '', to: '' });
  expect(state.search).toHaveLength(254);
});

test('the server gets the filter without order and record, and the search as addresses are stored', () => {
  expect(peopleQuery(read('search=+Ada&sort=email&person=7&mail=none'), 'UTC').toString()).toBe(
    'mail=none&search=ada&zone=UTC',
  );
});

test('an order or an open record is no filter', () => {
  expect(isFiltered(read('sort=oldest&person=7'))).toBe(false);
  expect(isFiltered(read('source=landing_page'))).toBe(true);
});

test('a period is one filter, each condition is one, and the search is none', () => {
  expect(countFilters(read('search=ada&sort=email'))).toBe(0);
  expect(countFilters(read('state=invited&from=2026-01-01&to=2026-02-01'))).toBe(2);
  const conditions = { states: ['invited'], from: '2026-01-01', zone: 'UTC', fields: { size: '1', shop: true } };
  expect(countFilters(read(`mail=failed&segment=${JSON.stringify(conditions)}`))).toBe(5);
});

const parseSegment = (query: string) => toSegment(read(query), 'UTC');

test('a segment in the URL is read in one order, without what is not understood', () => {
  const query = new URLSearchParams({ segment: '{"language":"de","states":["lost","invited"],"other":1,"from":7}' });
  const state = readPeople(query);
  expect(state.segment).toBe('{"states":["invited"],"language":"de"}');
  expect(peopleQuery(state, 'UTC').get('segment')).toBe(state.segment);
  for (const segment of ['', '{', '[]', 'null', '"x"', '{"states":[]}', '{}']) {
    expect(readPeople(new URLSearchParams({ segment })).segment).toBe('');
  }
});

test('the import of a segment is the filter of the list, and replaces one', () => {
  const id = '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d';
  const state = read(`import=${id}&segment=${JSON.stringify({ import: 'x', language: 'de' })}`);
  expect(countFilters(state)).toBe(3);
  expect(toSegment(state, 'UTC')).toEqual({ import: id, language: 'de' });
  expect(fromSegment({ import: id }, 'UTC')).toMatchObject({ import: id, segment: '' });
  expect(withoutReplaced(state, { import: id }).segment).toBe('{"language":"de"}');
});

test.each([
  ['state=invited&source=blog&from=2026-01-01&to=2026-02-01', ''],
  ['from=2026-01-01', '{"language":"de","fields":{"role":true},"invited_days_ago":3}'],
  ['', '{"states":["subscribed","invited"],"from":"2026-01-01","zone":"Asia/Tokyo"}'],
])('what is saved as a segment is shown again the same way (%s)', (query, segment) => {
  const state = read(`${query}&${new URLSearchParams({ segment })}`);
  expect({ ...read(''), ...fromSegment(toSegment(state, 'UTC'), 'UTC') }).toEqual(state);
});

test('a segment has neither the search nor the state of the mail, and days in the zone of the page', () => {
  expect(parseSegment('search=ada&mail=sent&sort=email&person=7')).toEqual({});
  expect(parseSegment('state=joined&from=2026-01-01')).toEqual({ states: ['joined'], from: '2026-01-01', zone: 'UTC' });
});

test('a field of the page replaces the condition on the same thing', () => {
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
