import type { Messages } from '../core/messages.ts';
import { findLanguage, type Language } from '../messages/languages.ts';

type LoadTexts = (part: `texts-${Language}`, integrity: string) => Promise<Messages>;

/** Set by the build: the hashes of the languages' scripts. */
declare const TEXT_HASHES: Readonly<Record<Language, string>>;

/**
 * Loads the texts of a BCP 47 language, and returns them with the page's own in their place. Warns about keys that are unknown or missing.
 */
export async function findTexts(
  load: LoadTexts,
  language: string,
  own: Partial<Messages> = {},
): Promise<Partial<Messages>> {
  const known = findLanguage(language);
  const loaded = known ?? 'en';
  const texts = await load(`texts-${loaded}`, TEXT_HASHES[loaded]);
  const unknown = Object.keys(own).filter((key) => !Object.hasOwn(texts, key));
  if (unknown.length > 0) warn(`data-messages has unknown keys: ${unknown.join(', ')}`);
  if (known) return { ...texts, ...own };
  const missing = Object.keys(texts).filter((key) => !Object.hasOwn(own, key));
  if (missing.length > 0) {
    warn(`there are no texts in "${language}", and data-messages has none for ${missing.join(', ')}`);
  }
  return own;
}

function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the host's developer has no other way to learn it
  console.warn(`early-access-kit: ${text}`);
}
