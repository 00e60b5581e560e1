import { findLanguage, type Language } from '../core/languages.ts';
import type { Messages } from '../core/messages.ts';
import type { EmbedSettings } from './settings.ts';

type LoadTexts = (part: `texts-${Language}`, integrity: string) => Promise<Messages>;

/** Set by the build: the hashes of the languages' scripts. */
declare const TEXT_HASHES: Readonly<Record<Language, string>>;

/**
 * Loads the texts of a BCP 47 language and returns them merged with the page's own, plus the language tag. Warns about
 * unknown and missing keys. Without a language, the texts are English.
 */
export async function findTexts(
  load: LoadTexts,
  language: string,
  own: Partial<Messages> = {},
): Promise<Pick<EmbedSettings, 'locale' | 'messages'>> {
  const locale = language || undefined;
  const known = findLanguage(language || 'en');
  const loaded = known ?? 'en';
  const texts = await load(`texts-${loaded}`, TEXT_HASHES[loaded]);
  const unknown = Object.keys(own).filter((key) => !Object.hasOwn(texts, key));
  if (unknown.length > 0) warn(`data-messages has unknown keys: ${unknown.join(', ')}`);
  if (known) return { locale, messages: { ...texts, ...own } };
  const missing = Object.keys(texts).filter((key) => !Object.hasOwn(own, key));
  if (missing.length > 0) {
    warn(`there are no texts in "${language}", and data-messages has none for ${missing.join(', ')}`);
  }
  return { locale, messages: own };
}

function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the host's developer has no other way to learn it
  console.warn(`early-access-kit: ${text}`);
}
