import { afterEach, describe, expect, it, vi } from 'vitest';
import { dollars, earnings, percent } from './pricing.ts';

describe('earnings', () => {
  it('gives the figures of the sample card', () => {
    const { profitCents, margin } = earnings(1250, 3500);
    expect(dollars(profitCents)).toBe('$22.50');
    expect(percent(margin)).toBe('64%');
  });

  it.each([
    [0, 100, 100, 1],
    [100, 100, 0, 0],
    [300, 200, -100, -0.5],
    [10, 30, 20, 2 / 3],
  ])('cost %i at price %i', (cost, price, profitCents, margin) => {
    expect(earnings(cost, price)).toEqual({ profitCents, margin });
  });

  it.each([0, -1, Number.NaN])('throws for a price of %d', (price) => {
    expect(() => earnings(100, price)).toThrow(RangeError);
  });
});

afterEach(() => vi.unstubAllGlobals());

describe('dollars', () => {
  it('are formatted without Intl, which browsers are slow to set up', async () => {
    vi.resetModules();
    vi.stubGlobal('Intl', undefined);
    const fresh = await import('./pricing.ts');
    expect(fresh.dollars(fresh.SAMPLE.priceCents)).toBe('$35.00');
  });

  it.each([
    [1250, '$12.50'],
    [123456789, '$1,234,567.89'],
    [5, '$0.05'],
    [-100, '-$1.00'],
  ])('%i cents', (cents, text) => {
    expect(dollars(cents)).toBe(text);
  });
});
