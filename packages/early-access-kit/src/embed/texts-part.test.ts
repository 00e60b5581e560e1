import { afterEach, expect, it, vi } from 'vitest';
import { LANGUAGES } from '../core/languages.ts';
import { en } from '../messages/en.ts';
import { MESSAGES } from '../messages.ts';
import { findTexts } from './texts-part.ts';

vi.stubGlobal('TEXT_HASHES', Object.fromEntries(LANGUAGES.map((language) => [language, `hash of ${language}`])));
const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
const load = vi.fn<Parameters<typeof findTexts>[0]>(async (part) => {
  const language = LANGUAGES.find((name) => part === `texts-${name}`);
  if (language === undefined) throw new Error(`there is no ${part}`);
  return MESSAGES[language];
});
afterEach(() => {
  warn.mockClear();
  load.mockClear();
});

it.each([
  ['ar', 'ar'],
  ['ar-EG', 'ar'],
  ['AR', 'ar'],
  ['pt', 'pt-BR'],
  ['zh-CN', 'zh-Hans'],
] as const)('finds the texts in %s, overridden by the page’s texts', async (tag, language) => {
  const texts = await findTexts(load, tag, { submit: 'انضم' });
  expect(texts).toEqual({ locale: tag, messages: { ...MESSAGES[language], submit: 'انضم' } });
  expect(load.mock.calls).toEqual([[`texts-${language}`, `hash of ${language}`]]);
  expect(warn).not.toHaveBeenCalled();
});

it('sets no language if the page has none', async () => {
  expect(await findTexts(load, '', en)).toEqual({ locale: undefined, messages: en });
});

it('warns about unknown keys', async () => {
  const own = { submit: 'Join', sumbit: 'Join', toString: 'x' };
  expect((await findTexts(load, 'en', own)).messages).toEqual({ ...en, ...own });
  expect(warn.mock.calls).toEqual([['early-access-kit: data-messages has unknown keys: sumbit, toString']]);
});

it.each(['sv', 'zh-TW'])('warns about missing keys in a language without texts: %s', async (tag) => {
  const { submit, retry, ...own } = en;
  expect(await findTexts(load, tag, own)).toEqual({ locale: tag, messages: own });
  expect(warn.mock.calls).toEqual([
    [`early-access-kit: there are no texts in "${tag}", and data-messages has none for submit, retry`],
  ]);
  warn.mockClear();
  await findTexts(load, tag, { ...own, submit, retry });
  expect(warn).not.toHaveBeenCalled();
});
