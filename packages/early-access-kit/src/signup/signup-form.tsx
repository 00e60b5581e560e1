import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { withHosts } from '../class-names.ts';
import { useEarlyAccess } from '../provider.tsx';
import { emptyHoneypot, HONEYPOT_FIELD, Honeypot } from './honeypot.tsx';
import { useHydrated } from './use-hydrated.ts';
import { type UseSignupOptions, useSignup } from './use-signup.ts';

/**
 * A person needs longer than this from seeing a form to submitting it; a faster autofill is held for the rest. Well below one second,
 * the default timeout of Testing Library, so that tests of hosts need not know of it.
 */
const MIN_FILL_MS = 300;

const OUT_OF_SIGHT = { visibility: 'hidden' } as const;

export interface SignupFormProps extends UseSignupOptions {
  /** `hero` explains an invalid address and marks the field; `bottom` blocks it silently. */
  variant?: 'hero' | 'bottom' | undefined;
  /** Where the form posts itself while scripts do not run, such as `/api/signup-form`. Without it, it waits for them. */
  action?: string | undefined;
  /** The invisible field and the minimum fill time that keep simple bots out. On unless false. */
  botGuard?: boolean | undefined;
  /** What stands in the field at first, such as an address that the host knows. */
  defaultValue?: string | undefined;
  /** The form is shown, and takes nothing: before the list opens, or once it is closed. */
  disabled?: boolean | undefined;
  /** A class of your own for the outermost element; `classNames.root` is the same. */
  className?: string | undefined;
  /** Classes of your own for the parts. */
  classNames?: SignupFormClassNames | undefined;
  /** Content of your own in place of the kit's. */
  slots?: SignupFormSlots | undefined;
}

/** Classes of the host for the parts of the form, each beside the kit's own. */
export interface SignupFormClassNames {
  /** The outermost element, which stays from the first showing to the success. */
  root?: string | undefined;
  form?: string | undefined;
  label?: string | undefined;
  /** What holds the field and the button. */
  row?: string | undefined;
  input?: string | undefined;
  button?: string | undefined;
  /** The message for an invalid address (`hero` only). Empty while there is none. */
  error?: string | undefined;
  /** What takes the form's place after success, and the focus. */
  success?: string | undefined;
  successTitle?: string | undefined;
  successText?: string | undefined;
}

/** What a host may put in place of the form's own content. */
export interface SignupFormSlots {
  /** What the button holds, in place of `messages.submit` and `messages.submitting`. It names the button to screen readers too. */
  button?: ((submitting: boolean) => ReactNode) | undefined;
  /** What is read in the form's place after success, in place of the title and the text. */
  success?: ReactNode | undefined;
}

/** The early-access form: field, button, the message for an invalid address, and what takes their place after success. */
export function SignupForm({
  variant = 'hero',
  action,
  botGuard = true,
  defaultValue,
  disabled,
  className,
  classNames = {},
  slots = {},
  ...options
}: SignupFormProps) {
  const { messages, locale, tellFailure } = useEarlyAccess();
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
      if (options.toasts ?? true) tellFailure(messages.signupFailed);
      options.onOutcome?.('failed', undefined);
      return;
    }
    // The button is about to be disabled, which would drop the focus of whoever pressed it by the keyboard.
    if (event.currentTarget.querySelector(':focus-visible')) input.current?.focus();
    const wait = botGuard ? shownAt + MIN_FILL_MS - performance.now() : 0;
    const outcome = await signup.submit(String(data.get('email')), {
      after: wait > 0 ? new Promise((resolve) => setTimeout(resolve, wait)) : undefined,
    });
    if (outcome !== 'created' && outcome !== 'ignored' && focusIsFree(form.current)) input.current?.focus();
  }

  return (
    <div className={withHosts(withHosts('eak-signup', className), classNames.root)} lang={locale}>
      <form
        ref={form}
        className={withHosts(`eak-form eak-form--${variant}`, classNames.form)}
        method="post"
        action={action}
        noValidate={hydrated}
        onSubmit={submit}
        aria-busy={submitting}
        // Out of sight rather than gone: it keeps its place, so that nothing below moves. Resets would take `hidden` out of the layout.
        style={signup.status === 'success' ? OUT_OF_SIGHT : undefined}
      >
        <label className={withHosts('eak-form__label', classNames.label)} htmlFor={fieldId}>
          {messages.emailLabel}
        </label>
        <div className={withHosts('eak-form__row', classNames.row)}>
          <input
            ref={input}
            id={fieldId}
            className={withHosts('eak-form__input', classNames.input)}
            type="email"
            name="email"
            required
            autoComplete="email"
            spellCheck={false}
            placeholder={messages.emailPlaceholder}
            defaultValue={defaultValue}
            readOnly={submitting}
            disabled={disabled}
            aria-invalid={explained}
            aria-describedby={explains ? errorId : undefined}
            onChange={signup.edited}
          />
          {/* biome-ignore lint/a11y/useButtonType: "submit" unsaid, as some resets undress whatever has the attribute */}
          <button
            className={withHosts('eak-form__button', classNames.button)}
            data-other-text={slots.button ? undefined : submitting ? messages.submit : messages.submitting}
            disabled={disabled || submitting || (!hydrated && action === undefined)}
          >
            {slots.button ? slots.button(submitting) : submitting ? messages.submitting : messages.submit}
          </button>
        </div>
        {botGuard && <Honeypot />}
        {explains && (
          <p id={errorId} className={withHosts('eak-form__error', classNames.error)} aria-live="polite">
            {explained ? messages.invalidEmail : ''}
          </p>
        )}
      </form>
      {signup.status === 'success' && (
        <div ref={success} tabIndex={-1} className={withHosts('eak-signup__success', classNames.success)}>
          {slots.success ?? (
            <>
              <p className={withHosts('eak-signup__success-title', classNames.successTitle)}>{messages.successTitle}</p>
              <p className={withHosts('eak-signup__success-text', classNames.successText)}>{messages.successText}</p>
            </>
          )}
        </div>
      )}
    </div>
  );
}

/** Whether the focus is in the form, or nowhere: a button that is disabled or hidden drops it onto the body. */
function focusIsFree(form: HTMLElement | null): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || (form?.matches(':focus-within') ?? false);
}
