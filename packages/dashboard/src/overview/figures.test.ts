import { expect, test } from 'vitest';
import { listFigures } from './figures.ts';

const NONE = {
  sessions: 0,
  bounces: 0,
  duration: 0,
  timed_sessions: 0,
  engaged_sessions: 0,
  visitors: 0,
  signups: 0,
};

test('shows changes, and treats fewer bounces as an improvement', () => {
  const figures = {
    ...NONE,
    sessions: 200,
    bounces: 60,
    duration: 9_000,
    timed_sessions: 150,
    visitors: 100,
    signups: 8,
  };
  const previous = {
    ...NONE,
    sessions: 100,
    bounces: 40,
    duration: 6_000,
    timed_sessions: 100,
    visitors: 80,
    signups: 8,
  };
  expect(listFigures({ figures, previous }, false)).toEqual([
    { measure: 'visitors', name: 'Visitors', value: '100', change: { text: '+25%', look: 'good' } },
    { measure: 'sessions', name: 'Sessions', value: '200', change: { text: '+100%', look: 'good' } },
    { measure: 'signups', name: 'New signups', value: '8', change: { text: '0%', look: 'same' } },
    { measure: 'conversion', name: 'Conversion', value: '8.0%', change: { text: '−20%', look: 'bad' } },
    { measure: 'bounces', name: 'Bounced sessions', value: '30.0%', change: { text: '−25%', look: 'good' } },
    { measure: 'duration', name: 'Time per session', value: '1m 00s', change: { text: '0%', look: 'same' } },
  ]);
});

test('a ratio without a divisor is null', () => {
  const values = listFigures({ figures: NONE, previous: NONE }, false).map(({ value, change }) => [value, change]);
  expect(values).toEqual([
    ['0', null],
    ['0', null],
    ['0', null],
    ['–', null],
    ['–', null],
    ['–', null],
  ]);
});
