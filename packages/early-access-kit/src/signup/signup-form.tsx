import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useEarlyAccess } from '../provider.tsx';
import { emptyHoneypot, HONEYPOT_FIELD, Honeypot } from './honeypot.tsx';
import { useHydrated } from './use-hydrated.ts';
import { type UseSignupOptions, useSignup } from './use-signup.ts';

/** A person needs longer than this from seeing a form to submitting it; a faster autofill is held for the rest. */
const MIN_FILL_MS = 1_000;

export interface SignupFormProps extends UseSignupOptions {
  /** `hero` explains an invalid address and marks the field; `bottom` blocks it silently (SPEC section 5). */
  variant?: 'hero' | 'bottom' | undefined;
  /** Where the form posts itself while scripts do not run, such as `/api/signup-form`. Without it, it waits for them. */
  action?: string | undefined;
  /** The invisible field and the minimum fill time that keep simple bots out. On unless false. */
  botGuard?: boolean | undefined;
  className?: string | undefined;
}

/** The early-access form: field, button, the message for an invalid address, and what takes their place after success. */
export function SignupForm({ variant = 'hero', action, botGuard = true, className, ...options }: SignupFormProps) {
  const { messages, notify } = useEarlyAccess();
  const signup = useSignup(options);
  const hydrated = useHydrated();
  const fieldId = useId();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const success = useRef<HTMLDivElement>(null);
  const [shownAt] = useState(() => performance.now());
  const errorId = `${fieldId}-error`;
  const explains = variant === 'hero';
  const explained = explains && signup.invalid;
  const submitting = signup.status === 'submitting';

  useEffect(() => {
    // Whoever was in the form goes on where it stood.
    if (signup.status === 'success' && focusIsFree(form.current)) success.current?.focus({ preventScroll: true });
  }, [signup.status]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (botGuard && data.get(HONEYPOT_FIELD) !== '') {
      // An over-eager password manager fills it too: emptied, so that a person's second try gets through.
      emptyHoneypot(event.currentTarget);
      notify({ kind: 'error', text: messages.signupFailed });
      return;
    }
    const wait = botGuard ? shownAt + MIN_FILL_MS - performance.now() : 0;
    const outcome = await signup.submit(String(data.get('email')), {
      after: wait > 0 ? new Promise((resolve) => setTimeout(resolve, wait)) : undefined,
    });
    if (outcome !== 'created' && outcome !== 'ignored' && focusIsFree(form.current)) input.current?.focus();
  }

  return (
    <div className={className === undefined ? 'eak-signup' : `eak-signup ${className}`}>
      <form
        ref={form}
        className={`eak-form eak-form--${variant}`}
        method="post"
        action={action}
        noValidate={hydrated}
        onSubmit={submit}
        aria-busy={submitting}
        // Hidden rather than gone: the stylesheet keeps its place, so that nothing below moves.
        hidden={signup.status === 'success'}
      >
        <label className="eak-form__label" htmlFor={fieldId}>
          {messages.emailLabel}
        </label>
        <div className="eak-form__row">
          <input
            ref={input}
            id={fieldId}
            className="eak-form__input"
            type="email"
            name="email"
            required
            autoComplete="email"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={messages.emailPlaceholder}
            readOnly={submitting}
            aria-invalid={explained}
            aria-describedby={explains ? errorId : undefined}
            onChange={signup.edited}
          />
          <button
            className="eak-form__button"
            type="submit"
            data-other-text={submitting ? messages.submit : messages.submitting}
            disabled={submitting || (!hydrated && action === undefined)}
          >
            {submitting ? messages.submitting : messages.submit}
          </button>
        </div>
        {botGuard && <Honeypot />}
        {explains && (
          <p id={errorId} className="eak-form__error" aria-live="polite">
            {explained ? messages.invalidEmail : ''}
          </p>
        )}
      </form>
      {signup.status === 'success' && (
        <div ref={success} tabIndex={-1} className="eak-signup__success">
          <p className="eak-signup__success-title">{messages.successTitle}</p>
          <p className="eak-signup__success-text">{messages.successText}</p>
        </div>
      )}
    </div>
  );
}

/** Whether the focus is in the form, or nowhere: a button that is disabled or hidden drops it onto the body. */
function focusIsFree(form: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || (form?.contains(activeElement) ?? false);
}
