import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';
import type { StorageAdapter } from './core/adapter.ts';
import { type AdminMessages, englishSignupMessages, type Messages, type SignupMessages } from './core/messages.ts';
import type { Campaign } from './core/records.ts';
import { firstTouch } from './first-touch.ts';
import type { Notify, ToastClassNames } from './toasts/toast.ts';
import { ToastRegion, useToasts } from './toasts/toast-region.tsx';

/** What the widgets are given. Nothing else passes between them. */
export interface EarlyAccess {
  readonly adapter: StorageAdapter;
  /** Complete for the form; the overlay fills the rest with its own defaults, which visitors do not load. */
  readonly messages: SignupMessages & Partial<AdminMessages>;
  /** The language of the texts and numbers as a BCP 47 tag; undefined where they follow the document's. */
  readonly locale: string | undefined;
  readonly notify: Notify;
  /** Tells a failure, which stands until the next attempt of any form: called without a text, it takes the last one away. */
  tellFailure(text?: string): void;
  /** The visit under way: written by the tracker, read by the form at the moment of submitting. */
  readonly session: { current: string | null };
  /** What the page that the visit began on told of a campaign: kept with the sign-up. */
  readonly campaign: Campaign;
}

const EarlyAccessContext = createContext<EarlyAccess | null>(null);

export interface EarlyAccessProviderProps {
  /** Where sign-ups and visits are kept: `httpAdapter()`, `memoryAdapter()` or one of your own. */
  adapter: StorageAdapter;
  /** Texts to use in place of the English defaults; `early-access-kit/messages/…` has whole languages. */
  messages?: Partial<Messages> | undefined;
  /**
   * The language of `messages` as a BCP 47 tag, such as `es` or `ar-EG`. The widgets are marked with it, and numbers follow it.
   * Without it both follow the document's language. The direction is the one of the place where a widget stands.
   */
  locale?: string | undefined;
  /** Shows a toast in place of the kit's own region. */
  notify?: Notify | undefined;
  /** Classes of your own for the parts of the toasts. */
  toastClassNames?: ToastClassNames | undefined;
  children?: ReactNode;
}

/** Hands the adapter, the texts and the toasts to the widgets below it, and a sign-up the visit that it was made in. */
export function EarlyAccessProvider({
  adapter,
  messages,
  locale,
  notify,
  toastClassNames,
  children,
}: EarlyAccessProviderProps) {
  const toasts = useToasts();
  const session = useRef<string | null>(null);
  const failure = useRef<AbortController | null>(null);
  const value = useMemo<EarlyAccess>(() => {
    const tell = notify ?? toasts.notify;
    return {
      adapter,
      messages: { ...englishSignupMessages, ...messages },
      locale,
      notify: tell,
      tellFailure(text) {
        failure.current?.abort();
        if (text === undefined) return;
        failure.current = new AbortController();
        tell({ kind: 'error', text, signal: failure.current.signal });
      },
      session,
      // In the first rendering: a router may change the address in an effect, and effects of children come first.
      campaign: firstTouch(),
    };
  }, [adapter, messages, locale, notify, toasts.notify]);
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

/** What the provider above hands down. Throws where there is none. */
export function useEarlyAccess(): EarlyAccess {
  const value = useContext(EarlyAccessContext);
  if (value === null) {
    throw new Error('early-access-kit: put this widget inside <EarlyAccessProvider adapter={…}>.');
  }
  return value;
}
