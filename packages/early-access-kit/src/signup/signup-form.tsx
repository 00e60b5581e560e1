import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { joinClassNames } from '../class-names.ts';
import type { SignupFields } from '../core/fields.ts';
import { useEarlyAccess } from '../provider.tsx';
import type { FormFields } from './form-parts.ts';
import { type UseSignupOptions, useSignup } from './use-signup.ts';

/** Props of `SignupForm`. All are optional. */
export interface SignupFormProps extends UseSignupOptions {
  /** `inline` explains an invalid address; `none` only marks the field. Default: `inline`. */
  errors?: 'inline' | 'none' | undefined;
  /**
   * The URL that the form posts to if scripts do not run, such as `/api/signup-form`. Without it, the button is
   * disabled until they run.
   */
  action?: string | undefined;
  /** Your own fields, created by `signupFields` of `early-access-kit/fields`. */
  fields?: FormFields | undefined;
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
  /** The container of `field` and the button. */
  row?: string | undefined;
  /** The container of the input and its message. */
  field?: string | undefined;
  input?: string | undefined;
  button?: string | undefined;
  /** The message for an invalid address (not with `errors="none"`). Empty while there is none. */
  error?: string | undefined;
  /** The success message, which replaces the form and receives the focus. */
  success?: string | undefined;
  successTitle?: string | undefined;
  successText?: string | undefined;
}

/** Content that replaces or extends the form's own. */
export interface SignupFormSlots {
  /**
   * The button's content, instead of `messages.submit` and `messages.submitting`. It is also the button's accessible
   * name.
   */
  button?: ((submitting: boolean) => ReactNode) | undefined;
  /** Replaces the title and text of the success message. Not shown if the address has to be confirmed first. */
  success?: ReactNode | undefined;
  /** Shown below the form until it succeeds, such as a sentence that asks to join. */
  note?: ReactNode | undefined;
}

/**
 * The early-access signup form: field, button, the message for an invalid address, and the success message that
 * replaces them.
 *
 * @example
 * <SignupForm source="hero" slots={{ note: <a href="/privacy">Privacy</a> }} />
 */
export function SignupForm({
  action,
  fields,
  defaultValue,
  disabled,
  className,
  classNames = {},
  slots = {},
  ...options
}: SignupFormProps) {
  const { messages, locale } = useEarlyAccess();
  const signup = useSignup(options);
  const { formProps, inbox } = signup;
  const succeeded = signup.status === 'success';
  const texts = inbox ?? messages;
  /** False on the server and during hydration. */
  const [hydrated, setHydrated] = useState(false);
  const fieldId = useId();
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const success = useRef<HTMLDivElement>(null);
  const readFields = useRef<() => SignupFields | 'invalid'>(undefined);
  const errorId = `${fieldId}-error`;
  const successId = `${fieldId}-success`;
  const showsErrors = options.errors !== 'none';
  const submitting = signup.status === 'submitting';
  const previousStatus = useRef(signup.status);
  const part = (name: keyof SignupFormClassNames, own = `eak-form__${name}`) => joinClassNames(own, classNames[name]);

  useEffect(() => {
    setHydrated(true);
    // Move the focus to the success message if it was in the form. If another form shared its success, nothing was
    // submitted here.
    if (succeeded && previousStatus.current === 'submitting' && focusIsFree(form.current)) {
      success.current?.focus({ preventScroll: true });
    }
    previousStatus.current = signup.status;
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    // The button is about to be disabled, which would lose the focus of keyboard users.
    if (event.currentTarget.querySelector(':focus-visible')) input.current?.focus();
    const values = readFields.current?.();
    const outcome = await formProps.onSubmit(event, { fields: values });
    if (['invalid', 'duplicate', 'failed'].includes(outcome) && focusIsFree(form.current)) {
      const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
      // Unless the browser has already focused an invalid field of the page's own.
      (invalid ?? (values === 'invalid' ? undefined : input.current))?.focus();
    }
  }

  return (
    <div className={part('root', joinClassNames('eak-signup', className))} lang={locale} data-status={signup.status}>
      <form
        {...formProps}
        ref={form}
        className={part('form', 'eak-form')}
        method="post"
        action={action}
        noValidate={hydrated}
        onSubmit={submit}
        // Invisible but still laid out, so that nothing below moves. `hidden` would be overridden by resets or remove
        // it from the layout.
        style={succeeded ? { visibility: 'hidden' } : undefined}
      >
        <label className={part('label')} htmlFor={fieldId}>
          {messages.emailLabel}
        </label>
        <div className={part('row')}>
          <div className={part('field')}>
            <input
              ref={input}
              id={fieldId}
              className={part('input')}
              type="email"
              dir="ltr"
              name="email"
              required
              autoComplete="email"
              enterKeyHint="send"
              spellCheck="false"
              placeholder={messages.emailPlaceholder}
              defaultValue={defaultValue}
              readOnly={submitting}
              disabled={disabled}
              aria-invalid={signup.invalid}
              aria-describedby={showsErrors ? errorId : undefined}
              onInput={signup.clearError}
            />
            {showsErrors && (
              // The toast has already announced a problem.
              <p className={part('error')} id={errorId} aria-live={signup.problem ? undefined : 'polite'}>
                {signup.invalid ? messages.invalidEmail : signup.problem}
              </p>
            )}
          </div>
          {fields?.render({ readRef: readFields, id: fieldId, readOnly: submitting, disabled })}
          {/* biome-ignore lint/a11y/useButtonType: "submit" is the default, and some resets strip styles from buttons with the attribute */}
          <button
            className={part('button')}
            data-other-text={slots.button ? undefined : submitting ? messages.submit : messages.submitting}
            disabled={disabled || submitting || !(hydrated || action)}
          >
            {slots.button ? slots.button(submitting) : submitting ? messages.submitting : messages.submit}
          </button>
        </div>
        {action && !hydrated && (
          <>
            {options.source && <input type="hidden" name="source" value={options.source} />}
            {locale && <input type="hidden" name="lang" value={locale} />}
          </>
        )}
        {options.humanCheck && <div {...signup.humanCheckProps} className="eak-form__check" />}
        {options.botGuard !== false && <input {...signup.honeypotProps} className="eak-form__extra" />}
        {slots.note}
      </form>
      {succeeded && (
        // A role and a label, because screen readers may not announce a plain element that gets the focus. The label is
        // all of its text.
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
        <div
          ref={success}
          id={successId}
          role="group"
          aria-labelledby={successId}
          data-pending={inbox && ''}
          tabIndex={-1}
          className={part('success', 'eak-signup__success')}
        >
          {(!inbox && slots.success) || (
            <>
              <p className={part('successTitle', 'eak-signup__success-title')}>{texts.successTitle}</p>
              <p className={part('successText', 'eak-signup__success-text')}>
                {texts.successText}{' '}
                {inbox?.url && (
                  <a className="eak-signup__link" href={inbox.url} target="_blank" rel="noreferrer">
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

/** Returns whether the focus is in the form, or on the body, where it moves when the focused button is disabled. */
function focusIsFree(form: HTMLElement | null): boolean {
  return form?.matches(':focus-within') || !document.querySelector('body :focus-within');
}
