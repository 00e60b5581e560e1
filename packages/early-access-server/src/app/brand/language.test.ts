import { expect, it } from 'vitest';
import { chooseMailLanguage, readPrimaryTag } from './language.ts';

it.each([
  ['pt-BR', 'pt'],
  ['DE', 'de'],
  ['yue', 'yue'],
  ['zh-Hant-TW', 'zh'],
  ['de-CH-1996', 'de'],
  // No tag is longer than 35 characters. The rest is not read.
  [`de${'-12345678'.repeat(3)}-12345ü`, 'de'],
  ['x', null],
  ['english', null],
  ['1de', null],
  ['de_CH', null],
  ['de-', null],
  ['de-ü', null],
  ['de-123456789', null],
])('the primary tag of %s is %s', (tag, expected) => {
  expect(readPrimaryTag(tag)).toBe(expected);
});

it('a person gets emails in the language of the page, if there are emails in it', () => {
  expect(chooseMailLanguage('de', 'fr')).toBe('de');
  expect(chooseMailLanguage('eo', 'fr')).toBe('fr');
  expect(chooseMailLanguage(null, 'fr')).toBe('fr');
});
