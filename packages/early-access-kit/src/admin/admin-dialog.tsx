import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef } from 'react';
import { useClassNames } from './class-names.ts';

interface AdminDialogProps {
  className: string;
  title: string;
  closeLabel: string;
  /** The element that receives the initial focus. Default: the close button. */
  initialFocus?: RefObject<HTMLElement | null>;
  onClose(): void;
  children: ReactNode;
}

/** A native modal dialog that opens when it is mounted. */
export function AdminDialog({ className, title, closeLabel, initialFocus, onClose, children }: AdminDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const cls = useClassNames();

  useLayoutEffect(() => {
    const element = dialog.current;
    // Focused by the dialog itself, so that no other control is announced first.
    if (initialFocus?.current) initialFocus.current.autofocus = true;
    element?.showModal();
    // Only `close()` restores the focus; removing an open dialog loses it.
    return () => element?.close();
  }, [initialFocus]);

  // The close event is asynchronous: StrictMode may have reopened the dialog, or it may have been unmounted.
  const onClosed = () => {
    if (dialog.current?.open === false) onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={cls(`eak-dialog ${className}`, 'dialog')}
      aria-labelledby={titleId}
      onClose={onClosed}
    >
      {/* Not `header`, which assistive technology would treat as the page's banner. */}
      <div className={cls('eak-dialog__header', 'dialogHeader')}>
        <h2 id={titleId} tabIndex={-1} className={cls('eak-dialog__title', 'dialogTitle')}>
          {title}
        </h2>
        <button
          type="button"
          className={cls('eak-dialog__close', 'dialogClose')}
          aria-label={closeLabel}
          onClick={onClose}
        >
          <svg className="eak-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
            <path
              fill="currentColor"
              d="M4.12 2.88l9 9a.875.875 0 0 1-1.24 1.24l-9-9a.875.875 0 0 1 1.24-1.24zm9 1.24l-9 9a.875.875 0 0 1-1.24-1.24l9-9a.875.875 0 0 1 1.24 1.24z"
            />
          </svg>
        </button>
      </div>
      {children}
    </dialog>
  );
}
