import { Copy } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import styles from './secret-dialog.module.css';
import { useNotify } from './toasts.tsx';
import ui from './ui.module.css';

interface SecretDialogProps {
  readonly title: string;
  /** The name of the secret. */
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
  /** Explains the purpose of the secret. */
  readonly children: ReactNode;
}

/**
 * Shows a secret this once, with a button that copies it. Only its last button closes it, because neither Esc nor a
 * click beside it says that the secret is stored.
 */
export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps) {
  const notify = useNotify();
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      notify.done('Copied.');
    } catch {
      // Without the permission, or on plain http.
      field.current?.select();
      notify.done('Copying failed. The text is selected; press Ctrl+C.');
    }
  };
  return (
    <Dialog title={title} open>
      <p className={ui.text}>
        {children} Store it now: <b>it is not shown again.</b>
      </p>
      <label className={ui.field}>
        {label}
        <input ref={field} className={`${ui.input} ${styles.secret}`} readOnly value={secret} />
      </label>
      <DialogActions>
        <Button onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
