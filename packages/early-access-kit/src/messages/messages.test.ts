import { describe, expect, it } from 'vitest';
import { findLanguage, getDirection, LANGUAGES } from '../core/languages.ts';
import { englishSignupMessages } from '../core/messages.ts';
import { MESSAGES } from '../messages.ts';
import { en } from './en.ts';
import { pseudo } from './pseudo.ts';

const ALL = { ...MESSAGES, pseudo };
/** Texts that are the same as in English. */
const SAME: Readonly<Record<string, readonly string[]>> = { ar: ['emailPlaceholder'], de: ['fieldOptional'] };
const LETTERS: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  'zh-Hans': /\p{Script=Han}/u,
};
const findPlaceholders = (text: string) => text.match(/\{\w+\}/g) ?? [];

it("English has the product's texts", () => {
  expect(en).toMatchObject(englishSignupMessages);
  expect(en.accessInvalid).toBe('Invalid admin email');
});

describe.each(Object.entries(ALL))('%s', (language, messages) => {
  it('has every text and no others', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
    for (const text of Object.values(messages)) expect(text).toMatch(/^\S(.*\S)?$/);
  });

  it('has the placeholders of the English texts', () => {
    for (const [key, text] of Object.entries(en)) {
      expect([key, findPlaceholders(String(Object(messages)[key]))]).toEqual([key, findPlaceholders(text)]);
    }
  });

  it('translates every text', () => {
    if (language === 'en') return;
    const english = Object.values(en);
    const untranslated = Object.entries(messages).filter(([, text]) => english.includes(text));
    expect(untranslated.map(([key]) => key)).toEqual(SAME[language] ?? []);
  });

  it('is written in its own script', () => {
    for (const [key, text] of Object.entries(messages)) {
      if (key !== 'emailPlaceholder') expect(text).toMatch(LETTERS[language] ?? /\p{Script=Latin}/u);
    }
  });
});

describe('the language of a tag', () => {
  it.each(LANGUAGES)('is found: %s', (language) => {
    expect(findLanguage(language)).toBe(language);
    expect(findLanguage(language.toUpperCase())).toBe(language);
    expect(getDirection(language)).toBe(new Intl.Locale(language).maximize().script === 'Arab' ? 'rtl' : 'ltr');
  });

  it.each([
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['es-419', 'es'],
    ['de-AT', 'de'],
    ['zh-TW', undefined],
    ['zh-HK', undefined],
    ['zh-Hant', undefined],
    ['sv', undefined],
    ['en_US', undefined],
    ['*', undefined],
    ['', undefined],
    ['__proto__', undefined],
  ])('%j is %j', (tag, language) => expect(findLanguage(tag)).toBe(language));
});
