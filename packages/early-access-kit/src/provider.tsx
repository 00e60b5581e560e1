import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import type { Inbox, StorageAdapter } from './core/adapter.ts';
import { campaignOf } from './core/attribution.ts';
import {
  type AdminMessages,
  englishSignupMessages,
  type FieldMessages,
  type HumanMessages,
  type Messages,
  type SignupMessages,
  type SuggestionMessages,
} from './core/messages.ts';
import { checkAdapter, checkLocale, rethrowMistake } from './core/misuse.ts';
import type { Campaign } from './core/records.ts';
import type { Notify, ToastClassNames } from './toasts/toast.ts';
import { ToastRegion, useToasts } from './toasts/toast-region.tsx';

/** The provider passes this to the widgets, which share nothing else. */
export interface EarlyAccess {
  readonly adapter: StorageAdapter;
  /**
   * The form's texts. The overlay, custom fields, human checks and suggestions add their own defaults, which other
   * pages do not load.
   */
  readonly messages: SignupMessages & Partial<AdminMessages & FieldMessages & HumanMessages & SuggestionMessages>;
  /** The language of texts and numbers as a BCP 47 tag; undefined: the document's. */
  readonly locale: string | undefined;
  readonly notify: Notify;
  /** Shows an error until the next attempt of any form. Called without a text, it removes the last one. */
  showError(text?: string): void;
  /** The id of the current session: written by the tracker, read by the form on submit. */
  readonly session: { current: string | null };
  /** The campaign of the page the session started on; stored with the signup. */
  readonly campaign: Campaign;
  /** The success that all forms show, and a function that sets or removes it. Empty without `shareSuccess`. */
  readonly shared: readonly [success?: SharedSuccess | undefined, share?: (success?: SharedSuccess) => void];
}

export interface SharedSuccess {
  readonly status: 'success';
  readonly inbox: Inbox | undefined;
}

const EarlyAccessContext = createContext<EarlyAccess | null>(null);

/** The campaign of this document; undefined before the first provider is rendered. */
let firstCampaign: Campaign | undefined;

/** Props of `EarlyAccessProvider`. */
export interface EarlyAccessProviderProps {
  /** Stores signups and sessions: `httpAdapter()`, `memoryAdapter()` or your own. */
  adapter: StorageAdapter;
  /** Texts to use instead of the English defaults; `early-access-kit/messages/…` has complete translations. */
  messages?: Partial<Messages> | undefined;
  /**
   * The language of `messages` as a BCP 47 tag, such as `es` or `ar-EG`. Sets the widgets' `lang` attribute and the
   * number format. Default: both follow the document's language. Text direction is inherited.
   */
  locale?: string | undefined;
  /** Shows a toast instead of the kit's own region. */
  notify?: Notify | undefined;
  /** Your own classes for the parts of the toasts. */
  toastClassNames?: ToastClassNames | undefined;
  /** All forms show the success of one of them, so that the page stops asking. Default: false. */
  shareSuccess?: boolean | undefined;
  children?: ReactNode;
}

/**
 * Passes the adapter, the texts and the toasts to the widgets below it, and the current session to the signup forms.
 *
 * @example
 * <EarlyAccessProvider adapter={adapter} messages={de} locale="de">
 *   <SignupForm />
 * </EarlyAccessProvider>
 */
export function EarlyAccessProvider({
  adapter,
  messages,
  locale,
  notify,
  toastClassNames,
  shareSuccess,
  children,
}: EarlyAccessProviderProps) {
  const toasts = useToasts();
  const session = useRef<string | null>(null);
  const error = useRef<AbortController | null>(null);
  const shared = useState<SharedSuccess>();
  const value = useMemo<EarlyAccess>(() => {
    try {
      if (process.env.NODE_ENV !== 'production') {
        checkAdapter(session, adapter);
        checkLocale(locale);
      }
    } catch (error) {
      rethrowMistake(error);
    }
    const show = notify ?? toasts.notify;
    // Read in the first render, before a router changes the URL in an effect, and never again, even if the provider is
    // remounted. Held in memory only, so it needs no consent. There is no `location` during server rendering.
    firstCampaign ??= campaignOf(globalThis.location?.search);
    return {
      adapter,
      messages: { ...englishSignupMessages, ...messages },
      locale,
      notify: show,
      showError(text) {
        error.current?.abort();
        if (text === undefined) return;
        error.current = new AbortController();
        show({ kind: 'error', text, signal: error.current.signal });
      },
      session,
      campaign: firstCampaign,
      shared: shareSuccess ? shared : [],
    };
  }, [adapter, messages, locale, notify, toasts.notify, shared[0], shareSuccess]);
  return (
    <EarlyAccessContext.Provider value={value}>
      {children}
      {notify === undefined && (
        <ToastRegion
          toasts={toasts}
          dismissLabel={value.messages.dismissToast}
          lang={locale}
          classNames={toastClassNames}
        />
      )}
    </EarlyAccessContext.Provider>
  );
}

/** Returns the context of the nearest provider. Throws if there is none. */
export function useEarlyAccess(): EarlyAccess {
  const value = useContext(EarlyAccessContext);
  if (value === null) {
    throw new Error('early-access-kit: put this widget inside <EarlyAccessProvider>');
  }
  return value;
}
