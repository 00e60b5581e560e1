import { useEffect, useRef, useState } from 'react';
import { joinClassNames } from '../class-names.ts';
import type { Notify, Toast, ToastClassNames } from './toast.ts';

/**
 * Long enough to read the longest default text twice (WCAG 2.2.1). A toast stays while it is hovered or has the focus.
 */
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
  // Created once, so that both functions keep their identity.
  const [calls] = useState(() => {
    const dismiss = (key: number) => setShown((before) => before.filter((toast) => toast.key !== key));
    const notify: Notify = (toast) => {
      const key = Math.random();
      // A repeated text replaces the existing toast, so that it is announced again and toasts do not accumulate.
      setShown((before) => [...before.filter((other) => other.text !== toast.text), { ...toast, key }]);
      toast.signal?.addEventListener('abort', () => dismiss(key));
    };
    return { notify, dismiss };
  });
  return { shown, ...calls };
}

interface ToastRegionProps {
  toasts: Toasts;
  dismissLabel: string;
  lang?: string | undefined;
  classNames?: ToastClassNames | undefined;
}

/**
 * The live region is in the page before its first message, because screen readers ignore a region that arrives with it.
 */
export function ToastRegion({ toasts, dismissLabel, lang, classNames = {} }: ToastRegionProps) {
  return (
    <div
      className={joinClassNames('eak-toasts', classNames.region)}
      lang={lang}
      role="status"
      aria-live="polite"
      aria-atomic={false}
    >
      {toasts.shown.map((toast) => (
        <ToastItem
          key={toast.key}
          toast={toast}
          dismissLabel={dismissLabel}
          classNames={classNames}
          onDismiss={toasts.dismiss}
        />
      ))}
    </div>
  );
}

interface ToastItemProps {
  toast: ShownToast;
  dismissLabel: string;
  classNames: ToastClassNames;
  onDismiss(key: number): void;
}

function ToastItem({ toast: { key, kind, text }, dismissLabel, classNames, onDismiss }: ToastItemProps) {
  const [held, setHeld] = useState(false);
  const cameFrom = useRef<(EventTarget & { focus?(): void }) | null>(null);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onDismiss, SHOWN_MS, key);
    return () => clearTimeout(timer);
  }, [held, key, onDismiss]);
  return (
    <div
      className={joinClassNames(joinClassNames(`eak-toast eak-toast--${kind}`, classNames.toast), classNames[kind])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
    >
      <p className={joinClassNames('eak-toast__text', classNames.text)}>{text}</p>
      <button
        type="button"
        aria-label={dismissLabel}
        className={joinClassNames('eak-toast__dismiss', classNames.dismiss)}
        onClick={({ detail }) => {
          onDismiss(key);
          // Dismissed by keyboard: removing the button would lose the focus.
          if (!detail) cameFrom.current?.focus?.();
        }}
        onFocus={({ relatedTarget }) => {
          cameFrom.current = relatedTarget;
          setHeld(true);
        }}
        onBlur={() => setHeld(false)}
      />
    </div>
  );
}
