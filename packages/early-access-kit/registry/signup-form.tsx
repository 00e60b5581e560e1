'use client';

import { type Messages, useSignup } from 'early-access-kit';
import { en } from 'early-access-kit/messages/en';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';

export interface SignupFormProps {
  /** The texts. Default: English. */
  messages?: Messages;
  /** Stored with each signup, to distinguish forms. */
  source?: string;
  className?: string;
}

export function SignupForm({ messages = en, source = 'landing_page', className = '' }: SignupFormProps) {
  const [failure, setFailure] = useState('');
  const signup = useSignup({
    source,
    toasts: false,
    onOutcome: (outcome) => setFailure(describeFailure(outcome, messages)),
  });
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const success = useRef<HTMLDivElement>(null);
  const submitting = signup.status === 'submitting';

  useEffect(() => {
    if (signup.status === 'success') success.current?.focus();
  }, [signup.status]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    setFailure('');
    const outcome = await signup.formProps.onSubmit(event);
    if (outcome !== 'created' && outcome !== 'ignored') input.current?.focus();
  }

  if (signup.status === 'success') {
    const { inbox } = signup;
    const { successTitle, successText } = inbox ?? messages;
    return (
      <div ref={success} tabIndex={-1} className={`grid gap-1 text-sm outline-none ${className}`}>
        <p className="font-semibold">{successTitle}</p>
        <p className="text-muted-foreground">
          {successText}{' '}
          {inbox?.url && (
            <a href={inbox.url} target="_blank" rel="noreferrer" className="underline">
              {inbox.link}
            </a>
          )}
        </p>
      </div>
    );
  }
  return (
    <form {...signup.formProps} noValidate onSubmit={submit} className={`grid gap-2 ${className}`}>
      <label htmlFor={`${id}-email`} className="text-sm font-medium">
        {messages.emailLabel}
      </label>
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          id={`${id}-email`}
          type="email"
          name="email"
          required
          autoComplete="email"
          spellCheck={false}
          placeholder={messages.emailPlaceholder}
          readOnly={submitting}
          aria-invalid={signup.invalid}
          aria-describedby={`${id}-error`}
          onInput={() => {
            signup.clearError();
            setFailure('');
          }}
          className="h-10 min-w-0 flex-1 basis-48 rounded-md border border-input bg-background px-3 text-base text-foreground placeholder:text-muted-foreground focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-ring aria-invalid:border-destructive md:text-sm"
        />
        <button
          type="submit"
          disabled={submitting}
          className="h-10 rounded-md bg-primary px-4 text-sm font-medium text-primary-foreground hover:bg-primary/90 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-ring disabled:opacity-70"
        >
          {submitting ? messages.submitting : messages.submit}
        </button>
      </div>
      {/* Hidden from people and assistive technology. Bots fill it in. */}
      <input {...signup.honeypotProps} className="absolute -left-[9999px] size-px" />
      <p id={`${id}-error`} aria-live="polite" className="min-h-5 text-sm text-destructive">
        {signup.invalid ? messages.invalidEmail : failure}
      </p>
    </form>
  );
}

function describeFailure(outcome: string, messages: Messages): string {
  if (outcome === 'duplicate') return messages.duplicateEmail;
  return outcome === 'failed' ? messages.signupFailed : '';
}
