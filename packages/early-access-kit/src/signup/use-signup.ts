import { useCallback, useReducer, useRef } from 'react';
import type { StorageAdapter } from '../core/adapter.ts';
import { pageOf } from '../core/attribution.ts';
import { isValidEmail, normalizeEmail } from '../core/email.ts';
import { isStorageError } from '../core/errors.ts';
import { randomId } from '../core/random-id.ts';
import { entryReferrer } from '../core/referrer.ts';
import { useEarlyAccess } from '../provider.tsx';
import { INITIAL_SIGNUP_STATE, type SignupStatus, signupReducer } from './signup-state.ts';

/** How an attempt ended. `ignored`: another one was under way or had succeeded. */
export type SignupOutcome = 'created' | 'duplicate' | 'invalid' | 'failed' | 'ignored';

export interface UseSignupOptions {
  /** Where the form stands, stored with the signup; `landing_page` unless given. */
  source?: string | undefined;
  /**
   * Called after each attempt that was not ignored. `error` is what the adapter threw, a `StorageError` unless the adapter has a bug;
   * it is undefined unless the outcome is `failed`, and also if the invisible field of the form was filled in.
   */
  onOutcome?: ((outcome: Exclude<SignupOutcome, 'ignored'>, error: unknown) => void) | undefined;
  /** `false` shows no toasts: for hosts that show the outcome themselves. */
  toasts?: boolean | undefined;
}

export interface Signup {
  readonly status: SignupStatus;
  /** The last attempt was refused for its address. */
  readonly invalid: boolean;
  /** What the adapter threw in the last attempt; undefined if it did not fail. Check it with `isStorageError`. */
  readonly error: unknown;
  /**
   * Tries to sign the address up; never rejects. The request waits for `after`, such as a minimum time to fill in the form; the status
   * is `submitting` meanwhile, and the attempt fails if `after` rejects. An error that is no `StorageError` is also logged to the console.
   */
  submit(email: string, options?: { after?: PromiseLike<unknown> | undefined }): Promise<SignupOutcome>;
  /** To be called at each keystroke: clears `invalid`. */
  edited(): void;
  /** Makes the form ready for another address, after success too, and takes the message of a failure away. Does nothing while submitting. */
  reset(): void;
}

/** The signup form without its markup: the state machine, the toasts and the calls. */
export function useSignup({ source = 'landing_page', onOutcome, toasts = true }: UseSignupOptions = {}): Signup {
  const { adapter, messages, notify, tellFailure, session, campaign } = useEarlyAccess();
  const [state, dispatch] = useReducer(signupReducer, INITIAL_SIGNUP_STATE);
  // React applies `submitted` after the handler, too late to stop the second click of a double click.
  const status = useRef<SignupStatus>('idle');
  const attempt = useRef({ email: '', submissionId: '' });

  const submit = useCallback<Signup['submit']>(
    async (entered, { after } = {}) => {
      if (status.current !== 'idle') return 'ignored';
      if (!isValidEmail(entered)) {
        dispatch({ type: 'refused' });
        onOutcome?.('invalid', undefined);
        return 'invalid';
      }
      status.current = 'submitting';
      dispatch({ type: 'submitted' });
      tellFailure();
      const email = normalizeEmail(entered);
      let outcome: 'created' | 'duplicate' | 'failed';
      let error: unknown;
      try {
        // A later try of the same address is the same submission: the first may have got through without its answer.
        if (attempt.current.email !== email) attempt.current = { email, submissionId: randomId() };
        // To begin a request takes the browser longer than to paint, and what is painted is the answer to the click.
        await (after ?? new Promise((resolve) => setTimeout(resolve)));
        outcome = await adapter.createSignup({
          email,
          session_id: session.current,
          source,
          referrer: entryReferrer(document.referrer, location.origin),
          submission_id: attempt.current.submissionId,
          ...pageOf(location),
          ...campaign,
        });
      } catch (thrown) {
        outcome = 'failed';
        error = thrown;
        logBug(thrown);
      }
      if (outcome === 'created') {
        status.current = 'success';
        // After a reset the same address is another submission.
        attempt.current.email = '';
        dispatch({ type: 'succeeded' });
        if (toasts) notify({ kind: 'success', text: messages.signupSucceeded });
        welcome(adapter, email);
      } else {
        status.current = 'idle';
        dispatch({ type: 'failed', error });
        if (toasts) tellFailure(outcome === 'duplicate' ? messages.duplicateEmail : messages.signupFailed);
      }
      onOutcome?.(outcome, error);
      return outcome;
    },
    [adapter, messages, notify, tellFailure, session, campaign, source, onOutcome, toasts],
  );
  const edited = useCallback(() => dispatch({ type: 'edited' }), []);
  const reset = useCallback(() => {
    if (status.current === 'submitting') return;
    status.current = 'idle';
    tellFailure();
    dispatch({ type: 'reset' });
  }, [tellFailure]);
  return { ...state, submit, edited, reset };
}

/** A welcome email that fails changes nothing for the visitor (SPEC section 8). */
async function welcome(adapter: StorageAdapter, email: string): Promise<void> {
  try {
    await adapter.sendWelcomeEmail(email);
  } catch (error) {
    logBug(error);
  }
}

/** Adapters reject with a `StorageError` if a store fails. Anything else is a bug of theirs. */
function logBug(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the author of the adapter has no other way to see it
  if (!isStorageError(error)) console.error('early-access-kit:', error);
}
