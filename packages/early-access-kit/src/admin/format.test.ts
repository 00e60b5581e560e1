// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatCount, formatDuration, formatPercent } from './format.ts';

beforeEach(() => {
  document.documentElement.lang = 'en';
});
afterEach(() => document.documentElement.removeAttribute('lang'));

describe('numbers', () => {
  it('are grouped by thousands', () => expect(formatCount(1_234_567)).toBe('1,234,567'));

  it('are a dash if they are unknown', () => {
    expect([formatCount(undefined), formatPercent(undefined), formatDuration(undefined)]).toEqual(['–', '–', '–']);
  });

  it("follow the document's language", () => {
    document.documentElement.lang = 'de';
    expect(formatCount(1_234_567)).toBe('1.234.567');
    expect(formatPercent(41.67)).toBe('41,67\u00a0%');
  });

  it("follow the given locale instead of the document's", () => {
    document.documentElement.lang = 'de';
    expect(formatCount(1_234_567, 'en')).toBe('1,234,567');
    expect(formatPercent(41.67, 'es')).toBe('41,67\u00a0%');
    expect(formatDuration(185, 'es')).toBe('3min 5s');
    expect(formatCount(1_234, 'ar-EG')).toBe('١٬٢٣٤');
  });

  it('accept an invalid language tag', () => {
    document.documentElement.lang = 'not a language';
    expect(formatCount(7)).toBe('7');
    expect([formatPercent(7, 'neither_this'), formatDuration(7, '!')]).not.toContain('–');
  });

  it.each([
    [0, '0%'],
    [41.67, '41.67%'],
    [50, '50%'],
    [100, '100%'],
  ])('have at most two decimals in percentages: %d', (percent, text) => expect(formatPercent(percent)).toBe(text));

  it.each([
    [0, '0s'],
    [59, '59s'],
    [60, '1m 0s'],
    [185, '3m 5s'],
    [3_599, '59m 59s'],
    [3_720, '1h 2m'],
  ])('show durations in at most two units: %d', (seconds, text) => expect(formatDuration(seconds)).toBe(text));
});
