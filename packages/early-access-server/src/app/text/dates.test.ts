import { expect, it } from 'vitest';
import { LANGUAGES } from '../brand/language.ts';
import { DAY, dateFormat, formatUtc, LONG_DAY, TIME } from './dates.ts';

const NIGHT = Date.UTC(2026, 2, 15, 23, 5);

it('a date has its month as a word, and its day first in English', () => {
  expect(dateFormat('UTC', DAY).format(NIGHT)).toBe('15 Mar 2026');
  expect(dateFormat('UTC', { ...LONG_DAY, ...TIME }).format(NIGHT)).toBe('15 March 2026 at 23:05');
  expect(dateFormat('Europe/Berlin', LONG_DAY, 'de').format(NIGHT)).toBe('16. März 2026');
  expect(formatUtc(NIGHT)).toBe('15 Mar 2026, 23:05 UTC');
});

it.each(LANGUAGES)('no date in %s could be taken for another day', (language) => {
  const text = dateFormat('UTC', LONG_DAY, language).format(Date.UTC(2026, 1, 3));
  // Chinese and Japanese name the parts instead.
  expect(text).toMatch(/\p{L}{3}|年/u);
  expect(text).not.toMatch(/\d[./-]\d/);
});

it('a format is created once', () => {
  expect(dateFormat('UTC', { ...DAY })).toBe(dateFormat('UTC', { ...DAY }));
});
