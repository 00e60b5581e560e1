import type { Messages } from 'early-access-kit';
import { ar } from 'early-access-kit/messages/ar';
import { en } from 'early-access-kit/messages/en';
import { es } from 'early-access-kit/messages/es';
import { pseudo } from 'early-access-kit/messages/pseudo';

/** What the toolbar and the URL set. */
export interface Globals {
  readonly [name: string]: unknown;
}

export interface Language {
  readonly messages: Messages;
  /** The BCP 47 tag. */
  readonly locale: string;
}

const LANGUAGES: ReadonlyMap<unknown, Language> = new Map([
  ['es', { messages: es, locale: 'es' }],
  ['ar', { messages: ar, locale: 'ar' }],
  ['pseudo', { messages: pseudo, locale: 'en-XA' }],
]);
const ENGLISH: Language = { messages: en, locale: 'en' };

/** The language of the toolbar. */
export function languageOf({ locale }: Globals): Language {
  return LANGUAGES.get(locale) ?? ENGLISH;
}

/** The widgets' texts in the language of the toolbar. Stories go by them, so that each state is reached in every language. */
export function textsOf(globals: Globals): Messages {
  return languageOf(globals).messages;
}

/** A number as the widgets write it in the language of the toolbar. */
export function numberIn(globals: Globals, value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(languageOf(globals).locale, options).format(value);
}
