import type { FormEvent, ReactNode, RefObject } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import ui from './ui.module.css';

interface FormDialogProps {
  readonly title: string;
  /** Shown above the form. */
  readonly intro?: ReactNode;
  /** The text of the button that submits. */
  readonly action: string;
  readonly busy: boolean;
  /** Why the form was rejected. */
  readonly problem: string | null | undefined;
  /** The id of that text, which the fields reference with `aria-describedby`. */
  readonly problemId: string;
  readonly initialFocus: RefObject<HTMLElement | null>;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog, with a button to cancel it. */
export function FormDialog({
  title,
  intro,
  action,
  busy,
  problem,
  problemId,
  initialFocus,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };
  return (
    <Dialog title={title} open onClose={onClose} initialFocus={initialFocus}>
      {intro}
      <form className={ui.stack} onSubmit={submit} noValidate>
        {children}
        <p role="alert" id={problemId} className={`${ui.text} ${ui.problem}`}>
          {problem}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={busy}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
