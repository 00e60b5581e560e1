import { afterEach, expect, it, vi } from 'vitest';
import { ar } from '../messages/ar.ts';
import { en } from '../messages/en.ts';
import { findTexts } from './texts-part.ts';

const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
afterEach(() => warn.mockClear());

it.each(['ar', 'ar-EG', 'AR'])('finds the texts in %s, with the texts of the page in their place', (language) => {
  expect(findTexts(language, { submit: 'انضم' })).toEqual({ ...ar, submit: 'انضم' });
  expect(warn).not.toHaveBeenCalled();
});

it('warns about keys that no widget has', () => {
  const own = { submit: 'Join', sumbit: 'Join', toString: 'x' };
  expect(findTexts('en', own)).toEqual({ ...en, ...own });
  expect(warn.mock.calls).toEqual([['early-access-kit: data-messages has unknown keys: sumbit, toString']]);
});

it('warns about missing keys in a language without texts', () => {
  const { submit, retry, ...own } = en;
  expect(findTexts('de', own)).toEqual(own);
  expect(warn.mock.calls).toEqual([
    ['early-access-kit: there are no texts in "de", and data-messages has none for submit, retry'],
  ]);
  warn.mockClear();
  findTexts('de', { ...own, submit, retry });
  expect(warn).not.toHaveBeenCalled();
});
