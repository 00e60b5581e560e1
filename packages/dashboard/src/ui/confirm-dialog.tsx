import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import ui from './ui.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  /** The text of the button that does it. */
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks before something that cannot be undone. The focus is on the way back. */
export function ConfirmDialog({
  title,
  action,
  look = 'danger',
  busy,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const back = useRef<HTMLButtonElement>(null);
  return (
    <Dialog title={title} open onClose={onClose} initialFocus={back}>
      <p className={ui.text}>{children}</p>
      <DialogActions>
        <Button ref={back} onClick={onClose}>
          Not now
        </Button>
        <Button look={look} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
