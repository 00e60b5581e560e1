import { afterEach, expect, it, vi } from 'vitest';
import { ar } from '../messages/ar.ts';
import { en } from '../messages/en.ts';
import { findTexts } from './texts-part.ts';

const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
afterEach(() => warn.mockClear());

it.each(['ar', 'ar-EG', 'AR'])('finds the texts in %s, with the texts of the page in their place', (language) => {
  expect(findTexts(language, { submit: 'انضم' })).toEqual({ locale: language, messages: { ...ar, submit: 'انضم' } });
  expect(warn).not.toHaveBeenCalled();
});

it('sets no language if the page has none', () => {
  expect(findTexts('', en)).toEqual({ locale: undefined, messages: en });
});

it('warns about keys that no widget has', () => {
  const own = { submit: 'Join', sumbit: 'Join', toString: 'x' };
  expect(findTexts('en', own).messages).toEqual({ ...en, ...own });
  expect(warn.mock.calls).toEqual([['early-access-kit: data-messages has unknown keys: sumbit, toString']]);
});

it('warns about missing keys in a language without texts', () => {
  const { submit, retry, ...own } = en;
  expect(findTexts('de', own)).toEqual({ locale: 'de', messages: own });
  expect(warn.mock.calls).toEqual([
    ['early-access-kit: there are no texts in "de", and data-messages has none for submit, retry'],
  ]);
  warn.mockClear();
  findTexts('de', { ...own, submit, retry });
  expect(warn).not.toHaveBeenCalled();
});
