import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import ui from './ui.module.css';

interface ConfirmDialogProps {
  readonly title: string;
  /** The text of the confirming button; null if there is nothing to confirm. */
  readonly action: string | null;
  /** The text of the button that changes nothing. Default: "Cancel". */
  readonly back?: string;
  readonly look?: 'primary' | 'danger';
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for confirmation before something that cannot be undone. The focus is on the button that changes nothing. */
export function ConfirmDialog({
  title,
  action,
  back = 'Cancel',
  look = 'danger',
  busy,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const backButton = useRef<HTMLButtonElement>(null);
  return (
    <Dialog title={title} open onClose={onClose} initialFocus={backButton}>
      <p className={ui.text}>{children}</p>
      <DialogActions>
        <Button ref={backButton} onClick={onClose}>
          {back}
        </Button>
        {action !== null && (
          <Button look={look} busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
