import { fc } from '@early-access-kit/testkit/fast-check';
import { getContrast } from 'color2k';
import { expect, it } from 'vitest';
import { derivePalettes, type Palette, readable } from './palette.ts';

const TEXTS: readonly (readonly [text: keyof Palette, on: keyof Palette])[] = [
  ['ink', 'sheet'],
  ['muted', 'sheet'],
  ['link', 'sheet'],
  ['inkOnPaper', 'paper'],
  ['mutedOnPaper', 'paper'],
  ['onAccent', 'accent'],
];

function expectReadable(palette: Palette): void {
  for (const [text, on] of TEXTS) {
    expect([text, on, getContrast(palette[text], palette[on]) >= 4.5]).toEqual([text, on, true]);
  }
}

it('has readable default colors', () => {
  const { light, dark } = derivePalettes({});
  expect(derivePalettes()).toEqual({ light, dark });
  expectReadable(light);
  expectReadable(dark);
  expect(getContrast(light.ink, light.sheet)).toBeGreaterThan(12);
  expect(getContrast(dark.ink, dark.sheet)).toBeGreaterThan(12);
  expect([light.ink, light.onAccent, dark.ink]).toEqual(['#1a1c21', '#ffffff', '#eceef2']);
});

it('derives the palettes of a brand once', () => {
  const colors = { accent: '#ffd400' };
  expect(derivePalettes(colors)).toBe(derivePalettes(colors));
});

it('derives readable text from any accent on any background', () => {
  const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(color, color, (accent, background) => {
      const { light, dark } = derivePalettes({ accent, background });
      expectReadable(light);
      expectReadable(dark);
    }),
    { numRuns: 200 },
  );
});

it('makes a color as dark as it has to be, and does not change readable ones', () => {
  expect(readable('#ffd400', '#ffffff')).toBe('#8c7500');
  expect(readable('#1d4f91', '#ffffff')).toBe('#1d4f91');
  expect(readable('#ffd400', '#ffffff', getContrast('#ffd400', '#ffffff'))).toBe('#ffd400');
  expect(derivePalettes({ accent: '#ffd400', background: '#ffffff' }).light).toMatchObject({
    paper: '#ffffff',
    accent: '#ffd400',
    onAccent: '#16181d',
  });
});
