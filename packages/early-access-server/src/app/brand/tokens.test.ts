import { expect, it } from 'vitest';
import { derivePalettes } from './palette.ts';
import { brandTokens } from './tokens.ts';

it('has the look of a brand that says nothing about it', () => {
  expect(brandTokens({})).toEqual({ ...derivePalettes(), radius: { control: 8, sheet: 12 }, family: '', face: null });
});

it('quotes families, but not the generic ones', () => {
  const { family, face } = brandTokens({ font: { families: 'Acme Serif, Georgia,serif' } });
  expect([family, face]).toEqual(["'Acme Serif','Georgia',serif,", "'Acme Serif'"]);
});

it('has square sheets around square buttons', () => {
  expect(brandTokens({ radius: 0 }).radius).toEqual({ control: 0, sheet: 0 });
});
