import { expect, test } from 'vitest';
import { isFiltered, peopleQuery, readPeople, writePeople } from './people-state.ts';

const read = (query: string) => readPeople(new URLSearchParams(query));

test('what is written is read again', () => {
  const query =
    'search=%25_%25&state=invited&mail=failed&source=landing_page&from=2026-01-01&to=2026-02-01&person=7&sort=email';
  expect(writePeople(read(query)).toString()).toBe(query);
  expect(writePeople(read('')).toString()).toBe('');
});

test('what is not understood is ignored, and a search is bounded', () => {
  const state = read(`state=lost&mail=toString&sort=random&from=yesterday&to=2026-13-01&search=${'a'.repeat(10_000)}`);
  expect(state).toMatchObject({ state: '', mail: '', sort: 'newest', from: '', to: '' });
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
