import { expect, it } from 'vitest';
import { containsPart, foldCase, listSpellings } from './parts.ts';

it('lower-cases A to Z only', () => {
  expect(foldCase('ABCXYZ abc ÄÖÜ ß [Ab]')).toBe('abcxyz abc ÄÖÜ ß [ab]');
});

it('searches for a part as entered, in lower case, capitalized and in upper case', () => {
  expect(listSpellings('aBc')).toEqual(['abc']);
  expect(listSpellings('émile éD')).toEqual(['émile éd', 'Émile Éd']);
  expect(listSpellings('Éa éÉ')).toEqual(['Éa éÉ', 'éa éé', 'Éa Éé', 'Éa ÉÉ']);
});

it.each([
  ['Zürich', 'züri', true],
  ['ZÜRICH', 'züri', true],
  ['Émile', 'émile', true],
  ['émile', 'ÉMILE', true],
  ['Jean-Émile', 'jean-émile', true],
  ['Zürich', 'zuri', false],
  ['Bern', 'zürich', false],
])('%s contains %s: %s', (text, part, expected) => {
  expect(containsPart(text, part)).toBe(expected);
});
