import { createContext, type ReactNode, useContext, useMemo, useRef } from 'react';
import type { StorageAdapter } from './core/adapter.ts';
import { type AdminMessages, englishSignupMessages, type Messages, type SignupMessages } from './core/messages.ts';
import type { Notify } from './toasts/toast.ts';
import { ToastRegion, useToasts } from './toasts/toast-region.tsx';

/** What the widgets are given. Nothing else passes between them. */
export interface EarlyAccess {
  readonly adapter: StorageAdapter;
  /** Complete for the form; the overlay fills the rest with its own defaults, which visitors do not load. */
  readonly messages: SignupMessages & Partial<AdminMessages>;
  readonly notify: Notify;
  /** The visit under way: written by the tracker, read by the form at the moment of submitting. */
  readonly session: { current: string | null };
}

const EarlyAccessContext = createContext<EarlyAccess | null>(null);

export interface EarlyAccessProviderProps {
  /** Where sign-ups and visits are kept: `httpAdapter()`, `memoryAdapter()` or one of your own. */
  adapter: StorageAdapter;
  /** Texts to use in place of the English defaults. */
  messages?: Partial<Messages> | undefined;
  /** Shows a toast in place of the kit's own region. */
  notify?: Notify | undefined;
  children?: ReactNode;
}

/** Hands the adapter, the texts and the toasts to the widgets below it, and a sign-up the visit that it was made in. */
export function EarlyAccessProvider({ adapter, messages, notify, children }: EarlyAccessProviderProps) {
  const toasts = useToasts();
  const session = useRef<string | null>(null);
  const value = useMemo<EarlyAccess>(
    () => ({
      adapter,
      messages: { ...englishSignupMessages, ...messages },
      notify: notify ?? toasts.notify,
      session,
    }),
    [adapter, messages, notify, toasts.notify],
  );
  return (
    <EarlyAccessContext.Provider value={value}>
      {children}
      {notify === undefined && <ToastRegion toasts={toasts} dismissLabel={value.messages.dismissToast} />}
    </EarlyAccessContext.Provider>
  );
}

/** What the provider above hands down. Throws where there is none. */
export function useEarlyAccess(): EarlyAccess {
  const value = useContext(EarlyAccessContext);
  if (value === null) {
    throw new Error('early-access-kit: no provider above this widget. Wrap it in <EarlyAccessProvider adapter={…}>.');
  }
  return value;
}
