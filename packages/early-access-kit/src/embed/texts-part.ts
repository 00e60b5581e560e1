import type { Messages } from '../core/messages.ts';
import { ar } from '../messages/ar.ts';
import { en } from '../messages/en.ts';
import { es } from '../messages/es.ts';
import type { EmbedSettings } from './settings.ts';

/** The languages without a bundler, by their primary tag. */
const LANGUAGES: ReadonlyMap<string, Messages> = new Map([
  ['ar', ar],
  ['en', en],
  ['es', es],
]);

/**
 * Returns a BCP 47 language and its texts, with the page's own in their place. Warns about keys that are unknown or missing. An empty
 * language is unknown.
 */
export function findTexts(language: string, own: Partial<Messages> = {}): Pick<EmbedSettings, 'locale' | 'messages'> {
  const texts = LANGUAGES.get(language.split('-')[0]?.toLowerCase() ?? '');
  const unknown = Object.keys(own).filter((key) => !Object.hasOwn(en, key));
  if (unknown.length > 0) warn(`data-messages has unknown keys: ${unknown.join(', ')}`);
  const missing = texts ? [] : Object.keys(en).filter((key) => !Object.hasOwn(own, key));
  if (missing.length > 0) {
    warn(`there are no texts in "${language}", and data-messages has none for ${missing.join(', ')}`);
  }
  return { locale: language || undefined, messages: { ...texts, ...own } };
}

function warn(text: string): void {
  // biome-ignore lint/suspicious/noConsole: the host's developer has no other way to learn it
  console.warn(`early-access-kit: ${text}`);
}
