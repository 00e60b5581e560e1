'use client';

import { type Messages, useSignup } from 'early-access-kit';
import { HONEYPOT_FIELD } from 'early-access-kit/core';
import { en } from 'early-access-kit/messages/en';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';

/** Faster than any person. A submission that is made sooner waits. */
const MIN_FILL_MS = 300;

export interface SignupFormProps {
  /** The texts. Default: English. */
  messages?: Messages;
  /** Stored with each signup, to tell forms apart. */
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
  const [shownAt] = useState(() => performance.now());
  const input = useRef<HTMLInputElement>(null);
  const success = useRef<HTMLDivElement>(null);
  const submitting = signup.status === 'submitting';

  useEffect(() => {
    if (signup.status === 'success') success.current?.focus();
  }, [signup.status]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const trap = form.elements.namedItem(HONEYPOT_FIELD);
    if (trap instanceof HTMLInputElement && trap.value !== '') {
      // A password manager may have filled it in: the second attempt succeeds.
      trap.value = '';
      setFailure(messages.signupFailed);
      return;
    }
    setFailure('');
    const wait = shownAt + MIN_FILL_MS - performance.now();
    const outcome = await signup.submit(String(data.get('email')), {
      after: wait > 0 ? new Promise((resolve) => setTimeout(resolve, wait)) : undefined,
    });
    if (outcome !== 'created' && outcome !== 'ignored') input.current?.focus();
  }

  if (signup.status === 'success') {
    return (
      <div ref={success} tabIndex={-1} className={`grid gap-1 text-sm outline-none ${className}`}>
        <p className="font-semibold">{messages.successTitle}</p>
        <p className="text-muted-foreground">{messages.successText}</p>
      </div>
    );
  }
  return (
    <form noValidate onSubmit={submit} aria-busy={submitting} className={`grid gap-2 ${className}`}>
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
      <div aria-hidden="true" className="absolute -left-[9999px] size-px overflow-hidden">
        <input type="text" name={HONEYPOT_FIELD} tabIndex={-1} autoComplete="off" />
      </div>
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
