import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from 'early-access-kit/internal';
import { expect, it } from 'vitest';
import { findDateOrder, looksLikeTime, parseTime } from './parse-time.ts';

const DAY = Date.UTC(2024, 0, 31);

it.each([
  '2024-01-31',
  '2024-1-31',
  '2024/01/31',
  '2024.01.31',
  '31/01/2024',
  '1/31/2024',
  '31.1.2024',
  'January 31, 2024',
  'Jan 31 2024',
  'jan. 31st, 2024',
  'Wednesday, January 31, 2024',
  'Wed Jan 31 2024',
  '31 January 2024',
  '31st Jan 2024',
  '31. Jan. 2024',
  '31-JAN-2024',
  'Wed, 31 Jan 2024',
])('%s is a day', (text) => expect(parseTime(text, null)).toBe(DAY));

it.each([
  ['1 Sept 2024', Date.UTC(2024, 8, 1)],
  ['2 Sep 2024', Date.UTC(2024, 8, 2)],
  ['3rd February 2024', Date.UTC(2024, 1, 3)],
  ['May 22nd 2024', Date.UTC(2024, 4, 22)],
  ['29 Feb 2024', Date.UTC(2024, 1, 29)],
  ['31 December 1999', Date.UTC(1999, 11, 31)],
  ['1/1/1970', 0],
])('%s is a day of another month', (text, expected) => expect(parseTime(text, null)).toBe(expected));

it.each([
  ['T09:05', 9 * HOUR_MS + 5 * MINUTE_MS],
  [' 9:05', 9 * HOUR_MS + 5 * MINUTE_MS],
  [', 9:05', 9 * HOUR_MS + 5 * MINUTE_MS],
  [' at 9:05', 9 * HOUR_MS + 5 * MINUTE_MS],
  [', at 9:05', 9 * HOUR_MS + 5 * MINUTE_MS],
  ['T23:59:59', DAY_MS - SECOND_MS],
  ['T00:00:00.5Z', 500],
  ['T00:00:00,012', 12],
  ['T00:00:00.123456789Z', 123],
  [' 12:00 AM', 0],
  [' 12:30 p.m.', 12 * HOUR_MS + 30 * MINUTE_MS],
  [' 1:00pm', 13 * HOUR_MS],
  [' 1:00 am', HOUR_MS],
  ['T10:00Z', 10 * HOUR_MS],
  [' 10:00 UTC', 10 * HOUR_MS],
  [' 10:00 GMT', 10 * HOUR_MS],
  ['T10:00+02:00', 8 * HOUR_MS],
  ['T10:00-02:00', 12 * HOUR_MS],
  ['T10:00:00+0530', 4 * HOUR_MS + 30 * MINUTE_MS],
  [' 10:00 +2', 8 * HOUR_MS],
  [' 10:00:00 GMT+0100 (Central European Time)', 9 * HOUR_MS],
  ['T10:00+14:59', -5 * HOUR_MS + MINUTE_MS],
])('2024-01-31%s is a time of the day', (text, expected) => {
  expect(parseTime(`2024-01-31${text}`, null)).toBe(DAY + expected);
});

it.each([
  'T24:00',
  'T10:60',
  'T10:00:60',
  'T10:00+15:00',
  'T10:00+02:60',
  ' 13:00 PM',
  'T10',
  'T10:00:00.1234567891Z',
  ' 10:00 CET',
  ' 10:00 or later',
  ' 10:00 (a) (b)',
  '-',
  ' ago',
])('2024-01-31%s is no time', (text) => expect(parseTime(`2024-01-31${text}`, null)).toBeNull());

it.each([
  '',
  'yes',
  '2024-02-30',
  '2023-02-29',
  '2024-13-01',
  '2024-00-01',
  '2024-01-00',
  '32/1/2024',
  '13/13/2024',
  '31 Foo 2024',
  '31 Janu 2024',
  '31 Septe 2024',
  '2024-01/31',
  '1/2.2024',
  '24-01-31',
  '1/2/24',
  'x2024-01-31',
  'on 31/1/2024',
  '31/12/1969',
])('%j is no day', (text) => expect(parseTime(text, 'day-first')).toBeNull());

it('a date whose day may be its month needs an order', () => {
  expect(parseTime('3/4/2026', null)).toBe('two-ways');
  expect(parseTime('3/4/2026 10:00', null)).toBe('two-ways');
  expect(parseTime('3/4/2026', 'day-first')).toBe(Date.UTC(2026, 3, 3));
  expect(parseTime('3/4/2026', 'month-first')).toBe(Date.UTC(2026, 2, 4));
  expect(parseTime('3/4/2026 25:00', null)).toBeNull();
  for (const order of ['day-first', 'month-first'] as const) {
    expect(parseTime('4/4/2026', order)).toBe(Date.UTC(2026, 3, 4));
    expect(parseTime('31/1/2024', order)).toBe(DAY);
    expect(parseTime('1/31/2024', order)).toBe(DAY);
  }
});

it.each([
  ['31/1/2024', 'day-first'],
  ['13.1.2024 10:00', 'day-first'],
  ['1/31/2024', 'month-first'],
  ['12/13/2024', 'month-first'],
  ['12/12/2024', null],
  ['1/2/2024', null],
  ['2024-01-31', null],
  ['31 January 2024', null],
  ['yes', null],
])('the order of %s is %s', (text, expected) => expect(findDateOrder(text)).toBe(expected));

it.each([
  ['1704067200', Date.UTC(2024, 0, 1)],
  ['1704067200.75', Date.UTC(2024, 0, 1)],
  ['1704067200123', Date.UTC(2024, 0, 1) + 123],
  ['946684800', Date.UTC(2000)],
  ['4102444799', Date.UTC(2100) - SECOND_MS],
  ['946684800000', Date.UTC(2000)],
  ['4102444799999', Date.UTC(2100) - 1],
  ['946684799', null],
  ['4102444800', null],
  ['946684799999', null],
  ['4102444800000', null],
  ['17040672', null],
  ['17040672001234', null],
  ['-1704067200', null],
  ['1704067200x', null],
  ['1704067200.', null],
  ['20240131', null],
])('the Unix time %s is %s', (text, expected) => expect(parseTime(text, null)).toBe(expected));

it.each([
  ['2024-02-30', true],
  ['32/1/24', true],
  [' 31 January 2024 ', true],
  ['1704067200', true],
  ['yes', false],
  ['12', false],
  ['555-1234', true],
  ['555 1234', false],
])('%j looks like a time: %s', (text, expected) => expect(looksLikeTime(text)).toBe(expected));
