import { useCallback, useRef, useState } from 'react';
import type { Inbox, SignupResult } from '../core/adapter.ts';
import { entryReferrer, pageOf } from '../core/attribution.ts';
import { isValidEmail, normalizeEmail } from '../core/email.ts';
import { isStorageError } from '../core/errors.ts';
import type { SignupFields } from '../core/fields.ts';
import { randomId } from '../core/random-id.ts';
import { useEarlyAccess } from '../provider.tsx';

/** The outcome of an attempt: the store's result, or why there is none. `ignored`: another attempt was running or had succeeded. */
export type SignupOutcome = SignupResult | 'invalid' | 'failed' | 'ignored';

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

/** The state of the form: ready, waiting for the store, or done. With the provider's `shareSuccess`, done once any form is. */
export type SignupStatus = 'idle' | 'submitting' | 'success';

export interface Signup {
  readonly status: SignupStatus;
  /** The last attempt was rejected because the address is invalid. */
  readonly invalid: boolean;
  /** The error that the adapter threw in the last attempt; undefined if it did not fail. Check it with `isStorageError`. */
  readonly error: unknown;
  /** Set after a success if the visitor has to confirm the address: show these texts and the link instead of your success message. */
  readonly inbox?: Inbox | undefined;
  /**
   * Tries to sign up the address; never rejects. An error that is not a `StorageError` is also logged to the console.
   */
  submit(email: string, options?: SubmitOptions): Promise<SignupOutcome>;
  /** Clears `invalid`. Call it on each keystroke. */
  clearError(): void;
  /**
   * Makes the form ready for another address, also after success, and removes the failure message. A shared success is removed from all
   * forms. Does nothing while submitting.
   */
  reset(): void;
}

const IDLE: Pick<Signup, 'status' | 'invalid' | 'error' | 'inbox'> = {
  status: 'idle',
  invalid: false,
  error: undefined,
};

/** The signup form without its markup: the state machine, the calls and the toasts. */
export function useSignup({ source = 'landing_page', onOutcome, toasts = true }: UseSignupOptions = {}): Signup {
  const { adapter, messages, locale, notify, showError, session, campaign, success, shareSuccess } = useEarlyAccess();
  const [state, setState] = useState(IDLE);
  // React applies a new state after the handler, too late to stop the second click of a double click.
  const status = useRef<SignupStatus>('idle');
  const attempt = useRef({ email: '', submissionId: '' });

  const submit = useCallback<Signup['submit']>(
    async (entered, { after, fields, humanToken } = {}) => {
      if (status.current !== 'idle' || success) return 'ignored';
      const isValid = isValidEmail(entered);
      if (!isValid || fields === null) {
        if (!isValid) setState({ ...IDLE, invalid: true });
        onOutcome?.('invalid', undefined);
        return 'invalid';
      }
      status.current = 'submitting';
      setState({ ...IDLE, status: 'submitting' });
      showError();
      const email = normalizeEmail(entered);
      let outcome: SignupResult | 'failed';
      let inbox: Inbox | undefined;
      let error: unknown;
      try {
        // Retrying the same address reuses the submission: the first attempt may have succeeded without its response arriving.
        if (attempt.current.email !== email) attempt.current = { email, submissionId: randomId() };
        // Starting a request takes longer than painting, so let the browser paint its reaction to the click first.
        await (after ?? new Promise((resolve) => setTimeout(resolve)));
        const signup = {
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
        outcome = await adapter.createSignup(signup);
        if (outcome === 'pending') {
          inbox = (await adapter.readInbox?.(signup, locale).catch(() => undefined)) ?? {
            successTitle: messages.signupSucceeded,
          };
        }
      } catch (thrown) {
        outcome = 'failed';
        error = thrown;
        logBug(thrown);
      }
      if (outcome === 'created' || inbox) {
        const done = { status: 'success', inbox } as const;
        // A shared success is not in this form's own state, so that every form can reset it.
        status.current = shareSuccess ? 'idle' : 'success';
        setState({ ...IDLE, ...(!shareSuccess && done) });
        shareSuccess?.(done);
        // After a reset, the same address is a new submission.
        attempt.current.email = '';
        if (toasts) notify({ kind: 'success', text: messages.signupSucceeded });
        // A welcome email that fails changes nothing for the visitor (SPEC section 8), nor does an adapter that throws.
        new Promise((resolve) => resolve(adapter.sendWelcomeEmail(email))).catch(logBug);
      } else {
        status.current = 'idle';
        setState({ ...IDLE, error });
        if (toasts) showError(outcome === 'duplicate' ? messages.duplicateEmail : messages.signupFailed);
      }
      onOutcome?.(outcome, error);
      return outcome;
    },
    [adapter, messages, locale, notify, showError, session, campaign, success, shareSuccess, source, onOutcome, toasts],
  );
  const clearError = useCallback(() => setState((now) => (now.invalid ? IDLE : now)), []);
  const reset = useCallback(() => {
    if (status.current === 'submitting') return;
    status.current = 'idle';
    showError();
    setState(IDLE);
    shareSuccess?.();
  }, [showError, shareSuccess]);
  return { ...state, ...success, submit, clearError, reset };
}

/** Adapters reject with a `StorageError` if a store fails. Any other error is a bug in the adapter. */
function logBug(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: adapter authors have no other way to see the error
  if (!isStorageError(error)) console.error('early-access-kit:', error);
}
