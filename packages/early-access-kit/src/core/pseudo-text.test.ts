import { fc } from '@early-access-kit/testkit/fast-check';
import { expect, it } from 'vitest';
import { en } from '../messages/en.ts';
import { pseudoText } from './pseudo-text.ts';

it('accents, lengthens and brackets a text', () => {
  expect(pseudoText('Join the beta')).toBe('[Ĵööîîñ ţĥéé ƀééţå]');
  expect(pseudoText('')).toBe('[]');
  expect(pseudoText('At most {max}')).toMatch(/\{max\}/);
});

it.each(Object.values(en))('makes "%s" about 40% longer', (text) => {
  const length = [...pseudoText(text)].length;
  expect(length).toBeGreaterThanOrEqual(Math.floor(text.length * 1.4));
  expect(length).toBeLessThanOrEqual(Math.ceil(text.length * 1.4) + 2);
});

it('preserves all other characters in order', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const others = (all: string) => all.replace(/[\p{L}~[\]]/gu, '');
      expect(others(pseudoText(text))).toBe(others(text));
    }),
  );
});
