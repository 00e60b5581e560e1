import { type FormEvent, useEffect, useId, useRef } from 'react';
import { MAX_LENGTH } from '../core/limits.ts';
import type { AdminMessages } from '../core/messages.ts';
import { AdminDialog } from './admin-dialog.tsx';
import type { Locked } from './admin-state.ts';
import { useClassNames } from './class-names.ts';

interface AccessDialogProps {
  checking: boolean;
  problem: Locked['problem'];
  messages: AdminMessages;
  onSubmit(email: string): void;
  onClose(): void;
}

/** Asks for the admin email. Only the store checks it, never this component. */
export function AccessDialog({ checking, problem, messages, onSubmit, onClose }: AccessDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  const fieldId = useId();
  const cls = useClassNames();

  useEffect(() => {
    if (problem) input.current?.focus();
  }, [problem]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // Fields of type email already trim the value.
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
      {/* The browser only reports an empty field. Any other address is sent to the store. */}
      <form className={cls('eak-access__form', 'accessForm')} noValidate onSubmit={submit} aria-busy={checking}>
        <label className={cls('eak-access__label', 'accessLabel')} htmlFor={fieldId}>
          {messages.accessEmailLabel}
        </label>
        <input
          ref={input}
          id={fieldId}
          className={cls('eak-access__input', 'accessInput')}
          type="email"
          dir="ltr"
          required
          maxLength={MAX_LENGTH.email}
          autoComplete="email"
          autoCapitalize="none"
          spellCheck="false"
          readOnly={checking}
          aria-invalid={problem === 'invalid'}
          aria-describedby={`${fieldId}-problem`}
        />
        <p id={`${fieldId}-problem`} className={cls('eak-access__problem', 'accessProblem')} role="alert">
          {problem === 'invalid' && messages.accessInvalid}
          {problem === 'unavailable' && messages.accessUnavailable}
        </p>
        {/* Not `disabled`, which would lose the focus. */}
        {/* biome-ignore lint/a11y/useButtonType: see SignupForm */}
        <button className={cls('eak-access__submit', 'accessSubmit')} aria-disabled={checking}>
          {checking ? messages.accessChecking : messages.accessSubmit}
        </button>
      </form>
    </AdminDialog>
  );
}
