import { useEffect, useRef } from 'react';

/**
 * Moves the focus to the title of the page once the focused control has been removed, such as the button of a person who was erased.
 * Otherwise people who use the keyboard or a screen reader would start at the top of the document.
 */
export function useKeptFocus(): void {
  const last = useRef<Element>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      last.current = target instanceof Element ? target : null;
    };
    addEventListener('focusin', remember);
    return () => removeEventListener('focusin', remember);
  }, []);
  // After each rendering, because any may remove something.
  useEffect(() => {
    // Waits for the next frame, because a dialog that closes first returns the focus to where it was.
    const frame = requestAnimationFrame(() => {
      if (last.current?.isConnected !== false || document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  });
}
