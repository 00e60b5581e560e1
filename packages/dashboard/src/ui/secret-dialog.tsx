import { Copy } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import styles from './secret-dialog.module.css';
import { useNotify } from './toasts.tsx';
import ui from './ui.module.css';

interface SecretDialogProps {
  readonly title: string;
  readonly label: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * Shows a secret once, with a button to copy it. Only the last button closes it: neither Esc nor a click outside means
 * that the secret was saved.
 */
export function SecretDialog({ title, label, secret, onClose, children }: SecretDialogProps) {
  const notify = useNotify();
  const field = useRef<HTMLInputElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      notify.done('Copied.');
    } catch {
      // No permission, or plain HTTP.
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
