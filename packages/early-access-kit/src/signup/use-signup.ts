import { useCallback, useReducer, useRef } from 'react';
import { pageOf } from '../core/attribution.ts';
import { isValidEmail, normalizeEmail } from '../core/email.ts';
import { randomId } from '../core/random-id.ts';
import { entryReferrer } from '../core/referrer.ts';
import { useEarlyAccess } from '../provider.tsx';
import { INITIAL_SIGNUP_STATE, type SignupStatus, signupReducer } from './signup-state.ts';

/** How an attempt ended. `ignored`: another one was under way or had succeeded. */
export type SignupOutcome = 'created' | 'duplicate' | 'invalid' | 'failed' | 'ignored';

export interface UseSignupOptions {
  /** Where the form stands, kept with the sign-up; `landing_page` unless given. */
  source?: string | undefined;
  /** Called after each attempt that was not ignored. */
  onOutcome?: ((outcome: Exclude<SignupOutcome, 'ignored'>) => void) | undefined;
}

export interface Signup {
  readonly status: SignupStatus;
  /** The last attempt was refused for its address. */
  readonly invalid: boolean;
  /** Tries to sign the address up; never rejects. Toasts are shown as SPEC section 8 has them. */
  submit(email: string, options?: { after?: Promise<unknown> | undefined }): Promise<SignupOutcome>;
  /** To be called at each keystroke: clears `invalid`. */
  edited(): void;
}

/** The sign-up form without its markup: the state machine, the toasts and the calls. */
export function useSignup({ source = 'landing_page', onOutcome }: UseSignupOptions = {}): Signup {
  const { adapter, messages, notify, tellFailure, session, campaign } = useEarlyAccess();
  const [state, dispatch] = useReducer(signupReducer, INITIAL_SIGNUP_STATE);
  // React applies `submitted` after the handler, too late to stop the second click of a double click.
  const busy = useRef(false);
  const attempt = useRef({ email: '', submissionId: '' });

  const submit = useCallback<Signup['submit']>(
    async (entered, { after } = {}) => {
      if (busy.current) return 'ignored';
      if (!isValidEmail(entered)) {
        dispatch({ type: 'refused' });
        onOutcome?.('invalid');
        return 'invalid';
      }
      busy.current = true;
      dispatch({ type: 'submitted' });
      tellFailure();
      const email = normalizeEmail(entered);
      // A later try of the same address is the same submission: the first may have got through without its answer.
      if (attempt.current.email !== email) attempt.current = { email, submissionId: randomId() };
      let outcome: 'created' | 'duplicate' | 'failed';
      try {
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
      } catch {
        outcome = 'failed';
      }
      if (outcome === 'created') {
        dispatch({ type: 'succeeded' });
        notify({ kind: 'success', text: messages.signupSucceeded });
        adapter.sendWelcomeEmail(email).catch(ignoreFailure);
      } else {
        busy.current = false;
        dispatch({ type: 'failed' });
        tellFailure(outcome === 'duplicate' ? messages.duplicateEmail : messages.signupFailed);
      }
      onOutcome?.(outcome);
      return outcome;
    },
    [adapter, messages, notify, tellFailure, session, campaign, source, onOutcome],
  );
  const edited = useCallback(() => dispatch({ type: 'edited' }), []);
  return { ...state, submit, edited };
}

/** A welcome email that fails changes nothing for the visitor (SPEC section 8). */
function ignoreFailure(): void {}
