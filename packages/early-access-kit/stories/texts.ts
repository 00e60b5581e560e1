import type { Messages } from 'early-access-kit';
import { ar } from 'early-access-kit/messages/ar';
import { en } from 'early-access-kit/messages/en';
import { es } from 'early-access-kit/messages/es';
import { pseudo } from 'early-access-kit/messages/pseudo';

/** Settings of the toolbar and the URL. */
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

/** Returns the toolbar's language. */
export function getLanguage({ locale }: Globals): Language {
  return LANGUAGES.get(locale) ?? ENGLISH;
}

/** Returns the widgets' texts in the toolbar's language. Stories use them, so that each state can be reached in every language. */
export function getTexts(globals: Globals): Messages {
  return getLanguage(globals).messages;
}

/** Formats a number as the widgets do, in the toolbar's language. */
export function formatNumber(globals: Globals, value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(getLanguage(globals).locale, options).format(value);
}
