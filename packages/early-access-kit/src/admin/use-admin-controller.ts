import { useCallback, useEffect, useReducer } from 'react';
import type { StorageAdapter } from '../core/adapter.ts';
import { isStorageError } from '../core/errors.ts';
import { forgetAdminEmail, keepAdminEmail, onAdminEmailChange } from './admin-email-storage.ts';
import { type AdminState, adminReducer, askedEmail, LOCKED, type SummaryAnswer } from './admin-state.ts';
import { readAdminEmail } from './stored-admin-email.ts';

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

/** `useAdmin` with the adapter as an argument, so that the lazy panel can use it without importing the provider. */
export function useAdminController(adapter: StorageAdapter): Admin {
  const [state, dispatch] = useReducer(adminReducer, LOCKED);
  const asked = askedEmail(state);

  useEffect(() => {
    if (asked === null) return;
    let dropped = false;
    ask(adapter, asked).then((answer) => {
      // Ignore the response if the dialog was closed, the admin logged out, or another tab changed the state meanwhile.
      if (dropped) return;
      if (answer.type === 'granted') keepAdminEmail(asked);
      if (answer.type === 'refused') forgetAdminEmail();
      dispatch({ type: 'answered', email: asked, answer });
    });
    return () => {
      dropped = true;
    };
  }, [adapter, asked]);

  useEffect(() => {
    const remember = (email: string | null) => dispatch({ type: 'remembered', email });
    remember(readAdminEmail());
    return onAdminEmailChange(remember);
  }, []);

  const open = useCallback(() => dispatch({ type: 'requested' }), []);
  const close = useCallback(() => dispatch({ type: 'closed' }), []);
  const submit = useCallback((email: string) => dispatch({ type: 'submitted', email }), []);
  const retry = useCallback(() => dispatch({ type: 'retried' }), []);
  const logOut = useCallback(() => {
    forgetAdminEmail();
    dispatch({ type: 'logged-out' });
  }, []);
  return { state, open, close, submit, retry, logOut };
}

async function ask(adapter: StorageAdapter, email: string): Promise<SummaryAnswer> {
  try {
    return { type: 'granted', numbers: await adapter.readSummary(email) };
  } catch (error) {
    return { type: isStorageError(error) && error.code === 'forbidden' ? 'refused' : 'unreachable' };
  }
}
