// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatCount, formatDuration, formatPercent } from './format.ts';

beforeEach(() => {
  document.documentElement.lang = 'en';
});
afterEach(() => document.documentElement.removeAttribute('lang'));

describe('numbers', () => {
  it('are grouped', () => expect(formatCount(1_234_567)).toBe('1,234,567'));

  it('are a dash where they are not known', () => {
    expect([formatCount(undefined), formatPercent(undefined), formatDuration(undefined)]).toEqual(['–', '–', '–']);
  });

  it('follow the language of the page', () => {
    document.documentElement.lang = 'de';
    expect(formatCount(1_234_567)).toBe('1.234.567');
    expect(formatPercent(41.67)).toBe('41,67\u00a0%');
  });

  it('follow the locale that is given rather than the page', () => {
    document.documentElement.lang = 'de';
    expect(formatCount(1_234_567, 'en')).toBe('1,234,567');
    expect(formatPercent(41.67, 'es')).toBe('41,67\u00a0%');
    expect(formatDuration(185, 'es')).toBe('3min 5s');
    expect(formatCount(1_234, 'ar-EG')).toBe('١٬٢٣٤');
  });

  it('do not fail over a language that is none', () => {
    document.documentElement.lang = 'not a language';
    expect(formatCount(7)).toBe('7');
    expect([formatPercent(7, 'neither_this'), formatDuration(7, '!')]).not.toContain('–');
  });

  it.each([
    [0, '0%'],
    [41.67, '41.67%'],
    [50, '50%'],
    [100, '100%'],
  ])('keep the two decimals of a percentage: %d', (percent, text) => expect(formatPercent(percent)).toBe(text));

  it.each([
    [0, '0s'],
    [59, '59s'],
    [60, '1m 0s'],
    [185, '3m 5s'],
    [3_599, '59m 59s'],
    [3_720, '1h 2m'],
  ])('give durations in two units at most: %d', (seconds, text) => expect(formatDuration(seconds)).toBe(text));
});
