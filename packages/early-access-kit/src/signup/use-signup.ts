import { useCallback, useReducer, useRef } from 'react';
import type { StorageAdapter } from '../core/adapter.ts';
import { entryReferrer, pageOf } from '../core/attribution.ts';
import { isValidEmail, normalizeEmail } from '../core/email.ts';
import { isStorageError } from '../core/errors.ts';
import type { SignupFields } from '../core/fields.ts';
import { randomId } from '../core/random-id.ts';
import { useEarlyAccess } from '../provider.tsx';
import { INITIAL_SIGNUP_STATE, type SignupStatus, signupReducer } from './signup-state.ts';

/** The outcome of an attempt. `ignored`: another attempt was running or had succeeded. */
export type SignupOutcome = 'created' | 'duplicate' | 'invalid' | 'failed' | 'ignored';

export interface UseSignupOptions {
  /** Where the form is on the site; stored with the signup. Default: `landing_page`. */
  source?: string | undefined;
  /**
   * Called after each attempt that was not ignored. `error` is what the adapter threw, a `StorageError` unless the adapter has a bug.
   * It is undefined unless the outcome is `failed`, and also if the form's honeypot field was filled in.
   */
  onOutcome?: ((outcome: Exclude<SignupOutcome, 'ignored'>, error: unknown) => void) | undefined;
  /** `false` shows no toasts, for hosts that show the outcome themselves. */
  toasts?: boolean | undefined;
}

export interface SubmitOptions {
  /**
   * The request waits for it, such as for a minimum time to fill in the form. Meanwhile the status is `submitting`; if it rejects, the
   * attempt fails.
   */
  after?: PromiseLike<unknown> | undefined;
  /** Values of the host's own fields. Null: they are invalid, and so is the attempt. */
  fields?: SignupFields | null | undefined;
  /** Called once, after `after`, for the token of a human check. If it rejects, the attempt fails. */
  humanToken?: (() => Promise<string>) | undefined;
}

export interface Signup {
  readonly status: SignupStatus;
  /** The last attempt was rejected because the address is invalid. */
  readonly invalid: boolean;
  /** The error that the adapter threw in the last attempt; undefined if it did not fail. Check it with `isStorageError`. */
  readonly error: unknown;
  /**
   * Tries to sign up the address; never rejects. An error that is not a `StorageError` is also logged to the console.
   */
  submit(email: string, options?: SubmitOptions): Promise<SignupOutcome>;
  /** Clears `invalid`. Call it on each keystroke. */
  clearError(): void;
  /** Makes the form ready for another address, also after success, and removes the failure message. Does nothing while submitting. */
  reset(): void;
}

/** The signup form without its markup: the state machine, the calls and the toasts. */
export function useSignup({ source = 'landing_page', onOutcome, toasts = true }: UseSignupOptions = {}): Signup {
  const { adapter, messages, notify, showError, session, campaign } = useEarlyAccess();
  const [state, dispatch] = useReducer(signupReducer, INITIAL_SIGNUP_STATE);
  // React applies `submitted` after the handler, too late to stop the second click of a double click.
  const status = useRef<SignupStatus>('idle');
  const attempt = useRef({ email: '', submissionId: '' });

  const submit = useCallback<Signup['submit']>(
    async (entered, { after, fields, humanToken } = {}) => {
      if (status.current !== 'idle') return 'ignored';
      const isValid = isValidEmail(entered);
      if (!isValid || fields === null) {
        if (!isValid) dispatch({ type: 'refused' });
        onOutcome?.('invalid', undefined);
        return 'invalid';
      }
      status.current = 'submitting';
      dispatch({ type: 'submitted' });
      showError();
      const email = normalizeEmail(entered);
      let outcome: 'created' | 'duplicate' | 'failed';
      let error: unknown;
      try {
        // Retrying the same address reuses the submission: the first attempt may have succeeded without its response arriving.
        if (attempt.current.email !== email) attempt.current = { email, submissionId: randomId() };
        // Starting a request takes longer than painting, so let the browser paint its reaction to the click first.
        await (after ?? new Promise((resolve) => setTimeout(resolve)));
        session.signup = {
          email,
          session_id: session.current,
          source,
          referrer: entryReferrer(document.referrer, location.origin),
          submission_id: attempt.current.submissionId,
          ...pageOf(location),
          ...campaign,
          ...(fields && { fields }),
          ...(humanToken && { human_token: await humanToken() }),
        };
        outcome = await adapter.createSignup(session.signup);
      } catch (thrown) {
        outcome = 'failed';
        error = thrown;
        logBug(thrown);
      }
      if (outcome === 'created') {
        status.current = 'success';
        // After a reset, the same address is a new submission.
        attempt.current.email = '';
        dispatch({ type: 'succeeded' });
        if (toasts) notify({ kind: 'success', text: messages.signupSucceeded });
        welcome(adapter, email);
      } else {
        status.current = 'idle';
        dispatch({ type: 'failed', error });
        if (toasts) showError(outcome === 'duplicate' ? messages.duplicateEmail : messages.signupFailed);
      }
      onOutcome?.(outcome, error);
      return outcome;
    },
    [adapter, messages, notify, showError, session, campaign, source, onOutcome, toasts],
  );
  const clearError = useCallback(() => dispatch({ type: 'edited' }), []);
  const reset = useCallback(() => {
    if (status.current === 'submitting') return;
    status.current = 'idle';
    showError();
    dispatch({ type: 'reset' });
  }, [showError]);
  return { ...state, submit, clearError, reset };
}

/** A welcome email that fails changes nothing for the visitor (SPEC section 8). */
async function welcome(adapter: StorageAdapter, email: string): Promise<void> {
  try {
    await adapter.sendWelcomeEmail(email);
  } catch (error) {
    logBug(error);
  }
}

/** Adapters reject with a `StorageError` if a store fails. Any other error is a bug in the adapter. */
function logBug(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: adapter authors have no other way to see the error
  if (!isStorageError(error)) console.error('early-access-kit:', error);
}
