import { httpAdapter } from '../adapters/http.ts';
import type { StorageAdapter } from '../core/adapter.ts';
import type { Messages } from '../core/messages.ts';

/** What all elements of a page have in common. */
export interface EmbedSettings {
  /** Where the server's API stands: a path of this origin or a whole URL; `/api` unless given. */
  endpoint?: string | undefined;
  /** Where sign-ups and visits are kept, in place of the server at `endpoint`. */
  adapter?: StorageAdapter | undefined;
  /** Texts to use in place of the English defaults. */
  messages?: Partial<Messages> | undefined;
  /** The language of `messages` as a BCP 47 tag; without it texts and numbers follow the document's language. */
  locale?: string | undefined;
}

/** The settings in force: with one and the same adapter for as long as they hold, since another one starts another visit. */
export interface SettledSettings extends Omit<EmbedSettings, 'endpoint'> {
  readonly adapter: StorageAdapter;
}

export function settle({ endpoint, adapter, messages, locale }: EmbedSettings): SettledSettings {
  return { adapter: adapter ?? httpAdapter({ endpoint }), messages, locale };
}
