import { type FormEvent, type RefObject, useRef, useState } from 'react';
import type { Inbox, SignupResult } from '../core/adapter.ts';
import { entryReferrer, pageOf } from '../core/attribution.ts';
import { isValidEmail, normalizeEmail } from '../core/email.ts';
import { isStorageError } from '../core/errors.ts';
import type { SignupFields } from '../core/fields.ts';
import { HONEYPOT_FIELD } from '../core/protocol.ts';
import { randomId } from '../core/random-id.ts';
import { useEarlyAccess } from '../provider.tsx';
import { HONEYPOT_PROPS, MIN_FILL_MS } from './bot-guard.ts';
import type { HumanCheck } from './form-parts.ts';

/**
 * The outcome of an attempt: the store's result, or why there is none. `ignored`: another attempt is running or has
 * succeeded.
 */
export type SignupOutcome = SignupResult | 'invalid' | 'failed' | 'ignored';

/** Options of `useSignup`. */
export interface UseSignupOptions {
  /** The form's place on the site; stored with the signup. Default: `landing_page`. */
  source?: string | undefined;
  /**
   * Called after each attempt that was not ignored. `error` is set if the outcome is `failed`: the value that the
   * adapter threw, a `StorageError` unless the adapter has a bug. It is undefined if the honeypot field was filled in.
   */
  onOutcome?: ((outcome: Exclude<SignupOutcome, 'ignored'>, error: unknown) => void) | undefined;
  /** `false` shows no toasts, for hosts that show the outcome themselves. */
  toasts?: boolean | undefined;
  /** Uses the honeypot field and the minimum fill time, which stop simple bots. Default: true. */
  botGuard?: boolean | undefined;
  /**
   * A human check from `early-access-kit/human/…`, for servers that require one. Nothing is loaded before the form is
   * used.
   */
  humanCheck?: HumanCheck | undefined;
}

/** Options of `submit`. */
export interface SubmitOptions {
  /**
   * The request waits for this promise, such as a minimum time to fill in the form. Until then the status is
   * `submitting`. If it rejects, the attempt fails.
   */
  after?: PromiseLike<unknown> | undefined;
  /** Values of the host's own fields; `invalid` makes the attempt invalid. */
  fields?: SignupFields | 'invalid' | undefined;
}

/**
 * The form is ready, waits for the store, or is done. With the provider's `shareSuccess`, all forms are done once one
 * is.
 */
export type SignupStatus = 'idle' | 'submitting' | 'success';

/** What `useSignup` returns: the state of the form and its actions. */
export interface Signup {
  readonly status: SignupStatus;
  /** The last attempt was rejected because the address is invalid. */
  readonly invalid: boolean;
  /**
   * The error that the adapter threw in the last attempt; undefined if it did not fail. Check it with `isStorageError`.
   */
  readonly error?: unknown;
  /** The toast's text after a duplicate or a failure, until the next keystroke. Empty without toasts. */
  readonly problem?: string | undefined;
  /**
   * Set after a success if the visitor has to confirm the address: show these texts and the link instead of your
   * success message.
   */
  readonly inbox?: Inbox | undefined;
  /**
   * Tries to sign up the address; never rejects. An error that is not a `StorageError` is also logged to the console.
   */
  submit(email: string, options?: SubmitOptions): Promise<SignupOutcome>;
  /** Clears `invalid` and `problem`. Call it on each keystroke. */
  clearError(): void;
  /**
   * Makes the form ready for another address, even after success, and removes the failure message. A shared success is
   * removed from all forms. Does nothing while submitting.
   */
  reset(): void;
  /** Props for your own `<form>` with an input named `email`. Include the bot guard and loading of the human check. */
  readonly formProps: {
    readonly 'aria-busy': boolean;
    /** Submits the address, and `fields` if you call it yourself. Never rejects. */
    onSubmit(event: FormEvent<HTMLFormElement>, options?: Pick<SubmitOptions, 'fields'>): Promise<SignupOutcome>;
    onFocusCapture(): void;
  };
  /**
   * Props for an input in your form that only bots fill in. Hide it with a class, not with `hidden` or `display: none`.
   */
  readonly honeypotProps: typeof HONEYPOT_PROPS;
  /** Props for an empty `<div>` in your form, in which a human check may show a question. */
  readonly humanCheckProps: { readonly ref: RefObject<HTMLDivElement | null> };
}

const IDLE: Pick<Signup, 'status' | 'invalid' | 'error' | 'problem' | 'inbox'> = {
  status: 'idle',
  invalid: false,
};

/**
 * The signup form without its markup: the state machine, the calls and the toasts.
 *
 * @example
 * const { status, submit } = useSignup({ source: 'footer' });
 * await submit('ada@example.com');
 */
export function useSignup({
  source = 'landing_page',
  onOutcome,
  toasts = true,
  botGuard = true,
  humanCheck,
}: UseSignupOptions = {}): Signup {
  const { adapter, messages, locale, notify, showError, session, campaign, shared } = useEarlyAccess();
  const [success, share] = shared;
  const [state, setState] = useState(IDLE);
  // State updates are applied after the handler, too late to stop the second click of a double click.
  const status = useRef<SignupStatus>('idle');
  const attempt = useRef({ email: '', submissionId: '' });
  const check = useRef<HTMLDivElement>(null);
  const [shownAt] = useState(() => performance.now());

  function show(next = IDLE): void {
    status.current = next.status;
    // Setting the same object does not render, so hosts may call `reset` in an effect of each render.
    setState(next);
  }

  function end<Outcome extends Exclude<SignupOutcome, 'ignored'>>(outcome: Outcome, error?: unknown): Outcome {
    onOutcome?.(outcome, error);
    return outcome;
  }

  const submit: Signup['submit'] = async (entered, { after, fields } = {}) => {
    if (status.current !== 'idle' || success) return 'ignored';
    const invalid = !isValidEmail(entered);
    if (invalid || fields === 'invalid') {
      show({ ...IDLE, invalid });
      return end('invalid');
    }
    show({ ...IDLE, status: 'submitting' });
    showError();
    const email = normalizeEmail(entered);
    let outcome: SignupResult | 'failed';
    let inbox: Inbox | undefined;
    let error: unknown;
    let problem = messages.duplicateEmail;
    try {
      // Retrying the same address reuses the submission: the first attempt may have succeeded without its response
      // arriving.
      if (attempt.current.email !== email) attempt.current = { email, submissionId: randomId() };
      // Starting a request takes longer than painting, so let the browser paint its reaction to the click first.
      await (after ?? new Promise((resolve) => setTimeout(resolve)));
      const token = check.current && (await humanCheck?.token(check.current, messages));
      const signup = {
        email,
        session_id: session.current,
        source,
        referrer: entryReferrer(document.referrer, location.origin),
        submission_id: attempt.current.submissionId,
        ...pageOf(location),
        ...campaign,
        ...(fields && { fields }),
        ...(token && { human_token: token }),
      };
      outcome = await adapter.createSignup(signup, locale ?? document.documentElement.lang);
      if (outcome === 'pending') {
        inbox = (await adapter.inbox?.(signup, locale).catch(() => {})) || {
          successTitle: messages.signupSucceeded,
        };
      }
    } catch (thrown) {
      outcome = 'failed';
      error = thrown;
      problem = (isStorageError(thrown) && thrown.visitorText) || messages.signupFailed;
      logMistake(thrown);
    }
    if (outcome === 'created' || inbox) {
      const done = { ...IDLE, inbox, status: 'success' } as const;
      // A shared success is not part of this form's state, so that every form can reset it.
      show(share ? undefined : done);
      share?.(done);
      // After a reset, the same address is a new submission.
      attempt.current.email = '';
      if (toasts) notify({ kind: 'success', text: messages.signupSucceeded });
      // A failed welcome email or a throwing adapter changes nothing for the visitor (SPEC section 8).
      (async () => adapter.sendWelcomeEmail(email))().catch(logMistake);
    } else {
      if (toasts) showError(problem);
      show({ ...IDLE, error, problem: toasts ? problem : '' });
    }
    return end(outcome, error);
  };

  function clearError(): void {
    // React renders after each state update, even an equal one, so typing only updates the state if there is an error.
    if (state.invalid || state.problem) show({ ...IDLE, error: state.error });
  }

  function reset(): void {
    if (status.current === 'submitting') return;
    showError();
    show();
    share?.();
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>, options?: Pick<SubmitOptions, 'fields'>) {
    event.preventDefault();
    const trap = event.currentTarget.querySelector<HTMLInputElement>(`[name=${HONEYPOT_FIELD}]`);
    if (botGuard && trap?.value) {
      // Some password managers fill it in. Clear it, so that a human's second attempt succeeds.
      trap.value = '';
      if (toasts) showError(messages.signupFailed);
      return end('failed');
    }
    const wait = botGuard ? shownAt + MIN_FILL_MS - performance.now() : 0;
    return submit(String(new FormData(event.currentTarget).get('email')), {
      ...options,
      after: new Promise((resolve) => setTimeout(resolve, wait)),
    });
  }
  const shown = { ...state, ...success };
  return {
    ...shown,
    submit,
    clearError,
    reset,
    formProps: {
      'aria-busy': shown.status === 'submitting',
      onSubmit,
      // Preact's focus event does not bubble, so it is captured.
      onFocusCapture: () => check.current && humanCheck?.prepare?.(check.current),
    },
    honeypotProps: HONEYPOT_PROPS,
    humanCheckProps: { ref: check },
  };
}

/**
 * Logs errors that only the host can fix. Adapters reject with a `StorageError` if a store fails, so any other error is
 * a bug in the adapter. The messages of `forbidden` and `invalid` say what is wrong.
 */
function logMistake(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: adapter authors have no other way to see the error
  if (!isStorageError(error)) console.error('early-access-kit:', error);
  // biome-ignore lint/suspicious/noConsole: the visitor only sees that something went wrong
  else if (error.code === 'forbidden' || error.code === 'invalid') console.warn(error.message);
}
