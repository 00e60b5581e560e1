import { httpAdapter } from '../adapters/http.ts';
import type { StorageAdapter } from '../core/adapter.ts';
import type { Messages } from '../core/messages.ts';
import { refuseUnknown, rethrowMistake } from '../core/misuse.ts';

/** The settings shared by all elements of a page. */
export interface EmbedSettings {
  /** The base URL of the server's API: a path of this origin or a full URL. Default: `/api`. */
  endpoint?: string | undefined;
  /** Stores signups and sessions instead of the server at `endpoint`. */
  adapter?: StorageAdapter | undefined;
  /** Texts to use instead of the English defaults. */
  messages?: Partial<Messages> | undefined;
  /** The language of `messages` as a BCP 47 tag. Default: texts and numbers follow the document's language. */
  locale?: string | undefined;
  /** All forms show the success of one of them, so that the page stops asking. Default: false. */
  shareSuccess?: boolean | undefined;
}

/** The current settings. The adapter is only replaced when they change, because a new adapter restarts the tracker. */
export interface ResolvedSettings extends Omit<EmbedSettings, 'endpoint'> {
  readonly adapter: StorageAdapter;
}

export function resolveSettings({
  endpoint,
  adapter = httpAdapter({ endpoint }),
  messages,
  locale,
  shareSuccess,
  ...unknown
}: EmbedSettings): ResolvedSettings {
  try {
    if (process.env.NODE_ENV !== 'production') refuseUnknown('configure', unknown);
  } catch (error) {
    rethrowMistake(error);
  }
  return { adapter, messages, locale, shareSuccess };
}
