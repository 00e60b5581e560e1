import { expect, test } from 'vitest';
import { dashboardQuery, readOverview, toggleFilter, writeOverview } from './overview-state.ts';

const read = (query: string) => readOverview(new URLSearchParams(query));

test('a written state is read back unchanged', () => {
  for (const query of [
    '',
    'range=7d',
    'range=today&compare=year&measure=conversion',
    'range=custom&from=2026-01-31&to=2026-02-28',
    'range=all&filter=referrer_host%3A&filter=utm_campaign%3Aa%3Ab%26c%3D100%25',
  ]) {
    expect(writeOverview(read(query)).toString()).toBe(query);
  }
});

test('invalid values are ignored', () => {
  const state = { range: '30d', from: '', to: '', filter: [], compare: 'period', measure: 'visitors' };
  for (const query of [
    'range=1000y',
    'compare=week&measure=luck',
    'range=custom',
    'range=custom&from=2026-02-30&to=2026-03-01',
    'range=custom&from=2026-03-02&to=2026-03-01',
    'range=custom&from=99999-01-01&to=x',
    'filter=password:1&filter=nothing',
  ]) {
    expect(read(query), query).toEqual(state);
  }
});

test('each dimension has one filter: another value replaces it, the same one removes it', () => {
  const none = read('');
  const firefox = toggleFilter(none, { dimension: 'browser', value: 'Firefox' });
  const chrome = toggleFilter(firefox, { dimension: 'browser', value: 'Chrome' });
  expect(writeOverview(chrome).getAll('filter')).toEqual(['browser:Chrome']);
  expect(toggleFilter(chrome, { dimension: 'browser', value: 'Chrome' })).toEqual(none);
  expect(read('filter=browser:Firefox&filter=browser:Chrome').filter).toHaveLength(1);
});

test('the server’s query always contains range and zone', () => {
  const query = dashboardQuery(read('filter=os:iOS&measure=bounces'), 'Europe/Berlin');
  expect(query.toString()).toBe('filter=os%3AiOS&range=30d&zone=Europe%2FBerlin');
});
