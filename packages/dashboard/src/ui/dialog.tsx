import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import ui from './ui.module.css';

interface DialogProps {
  readonly title: ReactNode;
  readonly open: boolean;
  /** If missing, the dialog cannot be closed. */
  readonly onClose?: () => void;
  /** Opens at the side of the window, for a record beside its list. */
  readonly side?: boolean;
  /** Gets the focus instead of the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}

export function Dialog({ title, open, onClose, side = false, initialFocus, children }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose?.()}>
      <Base.Portal>
        <Base.Backdrop forceRender className={styles.backdrop} />
        <Base.Popup
          className={`${ui.overlay} ${styles.popup} ${side ? styles.side : styles.center}`}
          data-dialog={side ? 'side' : 'center'}
          {...(initialFocus && { initialFocus })}
        >
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            {onClose && (
              <Base.Close
                render={
                  <Button look="quiet" icon aria-label="Close">
                    <X aria-hidden />
                  </Button>
                }
              />
            )}
          </div>
          <div className={styles.body}>{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
