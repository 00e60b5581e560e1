'use client';

import { type MouseEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { SignupForm, type SignupFormProps } from './signup-form';

export interface EarlyAccessDialogProps extends Omit<SignupFormProps, 'className'> {
  /** The label of the button that opens the dialog. */
  trigger?: string;
  title?: string;
  description?: string;
  /** The label of the close button. */
  close?: string;
}

/**
 * A button that opens the signup form in a modal dialog. Escape, the close button and a click outside close it; the
 * focus returns to the button.
 */
export function EarlyAccessDialog({
  trigger = 'Get early access',
  title = 'Get early access',
  description,
  close = 'Close',
  ...form
}: EarlyAccessDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Remounts the form each time, which removes the result of the last attempt.
  const [opened, setOpened] = useState(0);

  function open() {
    // Rendered before the dialog opens, because opening focuses the field.
    flushSync(() => setOpened((count) => count + 1));
    dialog.current?.showModal();
  }

  function closeBeside(event: MouseEvent<HTMLDialogElement>) {
    if (event.target === event.currentTarget) event.currentTarget.close();
  }

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={open}
        className="h-10 rounded-md bg-primary px-4 text-sm font-medium text-primary-foreground hover:bg-primary/90 focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-ring"
      >
        {trigger}
      </button>
      <dialog
        ref={dialog}
        aria-labelledby={`${id}-title`}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        onClick={closeBeside}
        className="m-auto w-[calc(100%-2rem)] max-w-md rounded-lg border bg-background p-0 text-foreground shadow-lg backdrop:bg-black/50"
      >
        <div className="relative grid gap-4 p-6">
          <h2 id={`${id}-title`} className="pr-8 text-lg font-semibold">
            {title}
          </h2>
          {description !== undefined && (
            <p id={`${id}-description`} className="text-sm text-muted-foreground">
              {description}
            </p>
          )}
          {opened > 0 && <SignupForm key={opened} {...form} />}
          <button
            type="button"
            aria-label={close}
            onClick={() => dialog.current?.close()}
            className="absolute top-3 right-3 size-9 rounded-md text-muted-foreground hover:text-foreground focus-visible:outline-2 focus-visible:outline-ring"
          >
            <span aria-hidden="true">✕</span>
          </button>
        </div>
      </dialog>
    </>
  );
}
