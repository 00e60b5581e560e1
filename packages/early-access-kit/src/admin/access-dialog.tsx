import { type FormEvent, useEffect, useId, useRef } from 'react';
import { MAX_LENGTH } from '../core/limits.ts';
import type { AdminMessages } from '../core/messages.ts';
import { AdminDialog } from './admin-dialog.tsx';
import type { Locked } from './admin-state.ts';

interface AccessDialogProps {
  checking: boolean;
  problem: Locked['problem'];
  messages: AdminMessages;
  onSubmit(email: string): void;
  onClose(): void;
}

/** Asks for the admin email. Whether it is the right one is decided where the numbers are, never here. */
export function AccessDialog({ checking, problem, messages, onSubmit, onClose }: AccessDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  const fieldId = useId();

  useEffect(() => {
    if (problem) input.current?.focus();
  }, [problem]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // Without the spaces around it: fields of this type drop them.
    const email = input.current?.value;
    if (email) onSubmit(email);
    else event.currentTarget.reportValidity();
  }

  return (
    <AdminDialog
      className="eak-access"
      title={messages.accessTitle}
      closeLabel={messages.close}
      initialFocus={input}
      onClose={onClose}
    >
      {/* The browser checks that there is an address; everything else about it has one answer, the store's. */}
      <form className="eak-access__form" noValidate onSubmit={submit} aria-busy={checking}>
        <label className="eak-access__label" htmlFor={fieldId}>
          {messages.accessEmailLabel}
        </label>
        <input
          ref={input}
          id={fieldId}
          className="eak-access__input"
          type="email"
          required
          maxLength={MAX_LENGTH.email}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={checking}
          aria-invalid={problem === 'invalid'}
          aria-describedby={`${fieldId}-problem`}
        />
        <p id={`${fieldId}-problem`} className="eak-access__problem" role="alert">
          {problem === 'invalid' && messages.accessInvalid}
          {problem === 'unavailable' && messages.accessUnavailable}
        </p>
        {/* Not `disabled`, which would drop the focus of whoever pressed it. */}
        <button className="eak-access__submit" type="submit" aria-disabled={checking}>
          {checking ? messages.accessChecking : messages.accessSubmit}
        </button>
      </form>
    </AdminDialog>
  );
}
