import type { Messages } from 'early-access-kit';
import { LANGUAGES, MESSAGES } from 'early-access-kit/messages';
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

const CHOICES: ReadonlyMap<unknown, Language> = new Map<unknown, Language>([
  ...LANGUAGES.map((locale) => [locale, { messages: MESSAGES[locale], locale }] as const),
  ['pseudo', { messages: pseudo, locale: 'en-XA' }],
]);
const ENGLISH: Language = { messages: MESSAGES.en, locale: 'en' };

/** Returns the toolbar's language. */
export function getLanguage({ locale }: Globals): Language {
  return CHOICES.get(locale) ?? ENGLISH;
}

/**
 * Returns the widgets' texts in the toolbar's language. Stories use them, so that each state can be reached in every
 * language.
 */
export function getTexts(globals: Globals): Messages {
  return getLanguage(globals).messages;
}

/** Formats a number as the widgets do, in the toolbar's language. */
export function formatNumber(globals: Globals, value: number, options?: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(getLanguage(globals).locale, options).format(value);
}
