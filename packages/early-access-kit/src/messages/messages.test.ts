import { describe, expect, it } from 'vitest';
import { englishSignupMessages, type Messages } from '../core/messages.ts';
import { ar } from './ar.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { pseudo } from './pseudo.ts';

const LANGUAGES: Record<string, Messages> = { ar, en, es, pseudo };
/** Email addresses are the same in Arabic. */
const SAME_EVERYWHERE = ['emailPlaceholder'];

it("English has the product's texts", () => {
  expect(en).toMatchObject(englishSignupMessages);
  expect(en.accessInvalid).toBe('Invalid admin email');
});

describe.each(Object.entries(LANGUAGES))('%s', (_, messages) => {
  it('has every text and nothing else', () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
    for (const text of Object.values(messages)) expect(text).toMatch(/^\S(.*\S)?$/);
  });
});

it.each(['ar', 'es', 'pseudo'])('%s leaves nothing in English', (language) => {
  const english = Object.values(en);
  const untranslated = Object.entries(LANGUAGES[language] ?? {}).filter(([, text]) => english.includes(text));
  expect(untranslated.map(([key]) => key).filter((key) => !SAME_EVERYWHERE.includes(key))).toEqual([]);
});

it.each([
  ['ar', /\p{Script=Arabic}/u],
  ['es', /\p{Script=Latin}/u],
])('%s is written in its own script', (language, script) => {
  for (const [key, text] of Object.entries(LANGUAGES[language] ?? {})) {
    if (!SAME_EVERYWHERE.includes(key)) expect(text).toMatch(script);
  }
});
