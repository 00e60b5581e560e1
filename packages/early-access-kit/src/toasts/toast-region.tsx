import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Notify, Toast } from './toast.ts';

/** Long enough to read the longest default text twice (WCAG 2.2.1); a toast under the pointer or focus stays. */
const SHOWN_MS = 8_000;

interface ShownToast extends Toast {
  readonly key: number;
}

export interface Toasts {
  readonly shown: readonly ShownToast[];
  readonly notify: Notify;
  dismiss(key: number): void;
}

export function useToasts(): Toasts {
  const [shown, setShown] = useState<readonly ShownToast[]>([]);
  const lastKey = useRef(0);
  const notify = useCallback<Notify>((toast) => {
    lastKey.current += 1;
    const key = lastKey.current;
    // The same text again replaces the one that stands there, so that it is announced again and does not pile up.
    setShown((before) => [...before.filter(({ text }) => text !== toast.text), { ...toast, key }]);
  }, []);
  const dismiss = useCallback((key: number) => {
    setShown((before) => before.filter((toast) => toast.key !== key));
  }, []);
  return useMemo(() => ({ shown, notify, dismiss }), [shown, notify, dismiss]);
}

/** The live region stands in the page before any message does; screen readers do not announce a region that arrives with its text. */
export function ToastRegion({ toasts, dismissLabel }: { toasts: Toasts; dismissLabel: string }) {
  return (
    <div className="eak-toasts" role="status" aria-live="polite" aria-atomic="false">
      {toasts.shown.map((toast) => (
        <ToastItem key={toast.key} toast={toast} dismissLabel={dismissLabel} onDismiss={toasts.dismiss} />
      ))}
    </div>
  );
}

interface ToastItemProps {
  toast: ShownToast;
  dismissLabel: string;
  onDismiss(key: number): void;
}

function ToastItem({ toast, dismissLabel, onDismiss }: ToastItemProps) {
  const [held, setHeld] = useState(false);
  const { key } = toast;
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => onDismiss(key), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [held, key, onDismiss]);
  const hold = { onPointerEnter: () => setHeld(true), onPointerLeave: () => setHeld(false) };
  return (
    <div className={`eak-toast eak-toast--${toast.kind}`} {...hold}>
      <p className="eak-toast__text">{toast.text}</p>
      <button
        type="button"
        className="eak-toast__dismiss"
        aria-label={dismissLabel}
        onClick={() => onDismiss(key)}
        onFocus={() => setHeld(true)}
        onBlur={() => setHeld(false)}
      >
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
          <path d="M3.5 3.5l9 9m0-9l-9 9" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
        </svg>
      </button>
    </div>
  );
}
