import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { joinClassNames } from '../class-names.ts';
import type { SignupFields } from '../core/fields.ts';
import { HONEYPOT_FIELD } from '../core/protocol.ts';
import { useEarlyAccess } from '../provider.tsx';
import { emptyHoneypot, Honeypot, MIN_FILL_MS } from './bot-guard.tsx';
import type { FormFields, HumanCheck } from './form-parts.ts';
import { type UseSignupOptions, useSignup } from './use-signup.ts';

const INVISIBLE = { visibility: 'hidden' } as const;

export interface SignupFormProps extends UseSignupOptions {
  /** `inline` explains an invalid address and marks the field; `none` blocks it silently. Default: `inline`. */
  errors?: 'inline' | 'none' | undefined;
  /** The URL the form posts to if scripts do not run, such as `/api/signup-form`. Without it, the button is disabled until they run. */
  action?: string | undefined;
  /** Whether to use the honeypot field and the minimum fill time, which stop simple bots. Default: true. */
  botGuard?: boolean | undefined;
  /** Your own fields, made by `signupFields` of `early-access-kit/fields`. */
  fields?: FormFields | undefined;
  /** A human check from `early-access-kit/human/…`, for servers that ask for one. Nothing of it is loaded before the form is used. */
  humanCheck?: HumanCheck | undefined;
  /** The initial value of the field, such as an address that the host knows. */
  defaultValue?: string | undefined;
  /** Shows the form but accepts no input: before the list opens, or after it closes. */
  disabled?: boolean | undefined;
  /** Your own class for the outermost element; `classNames.root` is the same. */
  className?: string | undefined;
  /** Your own classes for the parts. */
  classNames?: SignupFormClassNames | undefined;
  /** Your own content instead of the kit's. */
  slots?: SignupFormSlots | undefined;
}

/** The host's classes for the parts of the form, each added to the kit's own. */
export interface SignupFormClassNames {
  /** The outermost element, mounted from the first render through success. */
  root?: string | undefined;
  form?: string | undefined;
  label?: string | undefined;
  /** The container of the field and the button. */
  row?: string | undefined;
  input?: string | undefined;
  button?: string | undefined;
  /** The message for an invalid address (not with `errors="none"`). Empty while there is none. */
  error?: string | undefined;
  /** The success message, which replaces the form and receives the focus. */
  success?: string | undefined;
  successTitle?: string | undefined;
  successText?: string | undefined;
}

/** Content with which a host can replace the form's own. */
export interface SignupFormSlots {
  /** The button's content, instead of `messages.submit` and `messages.submitting`. It is also the button's accessible name. */
  button?: ((submitting: boolean) => ReactNode) | undefined;
  /** The content of the success message, instead of the title and the text. Not shown if the address has to be confirmed first. */
  success?: ReactNode | undefined;
  /** Shown below the form until it succeeds, such as a sentence that asks to join. */
  note?: ReactNode | undefined;
}

/** The early-access signup form: field, button, the message for an invalid address, and the success message that replaces them. */
export function SignupForm({
  action,
  botGuard = true,
  fields,
  humanCheck,
  defaultValue,
  disabled,
  className,
  classNames = {},
  slots = {},
  ...options
}: SignupFormProps) {
  const { messages, locale, showError } = useEarlyAccess();
  const signup = useSignup(options);
  const { inbox } = signup;
  const hydrated = useHydrated();
  const fieldId = useId();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const success = useRef<HTMLDivElement>(null);
  const readFields = useRef<() => SignupFields | null>(undefined);
  const check = useRef<HTMLDivElement>(null);
  const [shownAt] = useState(() => performance.now());
  const errorId = `${fieldId}-error`;
  const successId = `${fieldId}-success`;
  const showsErrors = options.errors !== 'none';
  const showsInvalid = showsErrors && signup.invalid;
  const submitting = signup.status === 'submitting';
  /** Whether this form was submitted last: a success that another form shares must not move the focus here. */
  const isOwn = useRef(false);

  useEffect(() => {
    // Move the focus to the success message if it was in the form.
    if (signup.status === 'success' && isOwn.current && focusIsFree(form.current)) {
      success.current?.focus({ preventScroll: true });
    }
  }, [signup.status]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (botGuard && data.get(HONEYPOT_FIELD) !== '') {
      // Password managers may fill in the honeypot. Clear it, so that a person's second attempt succeeds.
      emptyHoneypot(event.currentTarget);
      if (options.toasts !== false) showError(messages.signupFailed);
      options.onOutcome?.('failed', undefined);
      return;
    }
    // The button is about to be disabled, which would drop the focus of keyboard users.
    if (event.currentTarget.querySelector(':focus-visible')) input.current?.focus();
    const wait = botGuard ? shownAt + MIN_FILL_MS - performance.now() : 0;
    const values = readFields.current?.();
    isOwn.current = true;
    const outcome = await signup.submit(String(data.get('email')), {
      after: wait > 0 ? new Promise((resolve) => setTimeout(resolve, wait)) : undefined,
      fields: values,
      humanToken: humanCheck && check.current ? humanCheck.token.bind(humanCheck, check.current, messages) : undefined,
    });
    if (outcome === 'created' || outcome === 'pending' || outcome === 'ignored') return;
    isOwn.current = false;
    if (focusIsFree(form.current)) {
      const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
      // The browser has focused an invalid field of the page's own.
      (invalid ?? (values === null ? null : input.current))?.focus();
    }
  }

  const error = showsErrors && (
    <p id={errorId} className={joinClassNames('eak-form__error', classNames.error)} aria-live="polite">
      {showsInvalid && messages.invalidEmail}
    </p>
  );
  return (
    <div
      className={joinClassNames(joinClassNames('eak-signup', className), classNames.root)}
      lang={locale}
      data-status={signup.status}
    >
      <form
        ref={form}
        className={joinClassNames('eak-form', classNames.form)}
        method="post"
        action={action}
        noValidate={hydrated}
        onSubmit={submit}
        // Preact knows no focus event that bubbles, so it is captured.
        onFocusCapture={humanCheck && (() => check.current && humanCheck.prepare?.(check.current))}
        aria-busy={submitting}
        // Invisible but still laid out, so that nothing below moves. `hidden` would be overridden by resets or remove it from the
        // layout.
        style={signup.status === 'success' ? INVISIBLE : undefined}
      >
        <label className={joinClassNames('eak-form__label', classNames.label)} htmlFor={fieldId}>
          {messages.emailLabel}
        </label>
        <div className={joinClassNames('eak-form__row', classNames.row)}>
          <input
            ref={input}
            id={fieldId}
            className={joinClassNames('eak-form__input', classNames.input)}
            type="email"
            name="email"
            required
            autoComplete="email"
            spellCheck="false"
            placeholder={messages.emailPlaceholder}
            defaultValue={defaultValue}
            readOnly={submitting}
            disabled={disabled}
            aria-invalid={showsInvalid}
            aria-describedby={showsErrors ? errorId : undefined}
            // React renders after each call, even if the state is equal, so visitors who type only cause one if there is an error.
            onInput={() => signup.invalid && signup.clearError()}
          />
          {fields && error}
          {fields?.render({ readRef: readFields, id: fieldId, readOnly: submitting, disabled })}
          {/* biome-ignore lint/a11y/useButtonType: "submit" is the default, and some resets strip styles from buttons with the attribute */}
          <button
            className={joinClassNames('eak-form__button', classNames.button)}
            data-other-text={slots.button ? undefined : submitting ? messages.submit : messages.submitting}
            disabled={disabled || submitting || (!hydrated && action === undefined)}
          >
            {slots.button ? slots.button(submitting) : submitting ? messages.submitting : messages.submit}
          </button>
        </div>
        {humanCheck && <div ref={check} className="eak-form__check" />}
        {botGuard && <Honeypot />}
        {!fields && error}
        {slots.note}
      </form>
      {signup.status === 'success' && (
        // A role and a name, because screen readers may announce nothing if a plain element receives the focus. All of it is its name.
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div
          ref={success}
          id={successId}
          role="group"
          aria-labelledby={successId}
          tabIndex={-1}
          className={joinClassNames('eak-signup__success', classNames.success)}
        >
          {(!inbox && slots.success) || (
            <>
              <p className={joinClassNames('eak-signup__success-title', classNames.successTitle)}>
                {(inbox ?? messages).successTitle}
              </p>
              <p className={joinClassNames('eak-signup__success-text', classNames.successText)}>
                {(inbox ?? messages).successText}
                {inbox?.url && (
                  <a href={inbox.url} target="_blank" rel="noreferrer">
                    {inbox.link}
                  </a>
                )}
              </p>
            </>
          )}
        </div>
      )}
    </div>
  );
}

/** Returns false on the server and during hydration, true after that. React re-renders once, without a mismatch. */
function useHydrated(): boolean {
  return useSyncExternalStore(subscribe, isClient, isServer);
}

const subscribe = () => () => {};
const isClient = () => true;
const isServer = () => false;

/** Returns whether the focus is in the form or on the body, where it falls when the focused button is disabled or hidden. */
function focusIsFree(form: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return !activeElement || activeElement === body || (form?.matches(':focus-within') ?? false);
}
