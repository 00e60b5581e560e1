import { useEffect, useMemo, useReducer } from 'react';
import type { StorageAdapter } from '../core/adapter.ts';
import { isStorageError } from '../core/errors.ts';
import { useEarlyAccess } from '../provider.tsx';
import { type AdminState, adminReducer, emailToCheck, LOCKED, type SummaryResult } from './admin-state.ts';
import { onAdminEmailChange, readAdminEmail, removeAdminEmail, saveAdminEmail } from './stored-admin-email.ts';

/** What `useAdmin` returns: the state of the overlay and its actions. */
export interface Admin {
  readonly state: AdminState;
  /** Opens the access dialog while locked, the analytics panel once unlocked. */
  open(): void;
  close(): void;
  /** Tries to unlock with the typed address. */
  submit(email: string): void;
  /** Retries after the store could not be reached. */
  retry(): void;
  logOut(): void;
}

/**
 * The overlay without its markup: the state machine, the stored address and the calls. It starts locked, even on the
 * server and during hydration, and then looks for a stored address. The host must call `open`; only `AdminOverlay`
 * listens for keys.
 *
 * @example
 * const { state, open } = useAdmin();
 */
export function useAdmin(): Admin {
  return useAdminController(useEarlyAccess().adapter);
}

/** `useAdmin` with the adapter as an argument, so that the lazy panel can use it without importing the provider. */
export function useAdminController(adapter: StorageAdapter): Admin {
  const [state, dispatch] = useReducer(adminReducer, LOCKED);
  const email = emailToCheck(state);

  useEffect(() => {
    if (email === null) return;
    let ignored = false;
    readSummary(adapter, email).then((result) => {
      // Ignore the result if the dialog was closed, the admin logged out, or another tab changed the state since.
      if (ignored) return;
      if (result.type === 'granted') saveAdminEmail(email);
      if (result.type === 'refused') removeAdminEmail();
      dispatch({ type: 'checked', email, result });
    });
    return () => {
      ignored = true;
    };
  }, [adapter, email]);

  useEffect(() => {
    const restore = (stored: string | null) => dispatch({ type: 'restored', email: stored });
    restore(readAdminEmail() || null);
    return onAdminEmailChange(restore);
  }, []);

  const actions = useMemo(
    () => ({
      open: () => dispatch({ type: 'requested' }),
      close: () => dispatch({ type: 'closed' }),
      submit: (typed: string) => dispatch({ type: 'submitted', email: typed }),
      retry: () => dispatch({ type: 'retried' }),
      logOut() {
        removeAdminEmail();
        dispatch({ type: 'logged-out' });
      },
    }),
    [],
  );
  return { state, ...actions };
}

async function readSummary(adapter: StorageAdapter, email: string): Promise<SummaryResult> {
  try {
    return { type: 'granted', numbers: await adapter.readSummary(email) };
  } catch (error) {
    return { type: isStorageError(error) && error.code === 'forbidden' ? 'refused' : 'unreachable' };
  }
}
