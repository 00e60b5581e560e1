import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';

/**
 * Closes what a button has opened: on Escape, which returns the focus to the button, on a press elsewhere, and once the
 * focus moves on. Returns properties for the element around both, whose first button it is.
 */
export function useDismiss<T extends HTMLElement>(isOpen: boolean, close: () => void) {
  const box = useRef<T>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeByPress = ({ target }: Event) => {
      if (isElsewhere(box.current, target)) close();
    };
    document.addEventListener('pointerdown', closeByPress);
    return () => document.removeEventListener('pointerdown', closeByPress);
  }, [isOpen, close]);
  return {
    ref: box,
    // React's events also come from dialogs that are outside of the element in the page.
    onBlur({ target, relatedTarget }: FocusEvent) {
      if (isOpen && box.current?.contains(target) && isElsewhere(box.current, relatedTarget)) close();
    },
    onKeyDown(event: KeyboardEvent) {
      const { key, target } = event;
      if (!isOpen || key !== 'Escape' || !(target instanceof Node && box.current?.contains(target))) return;
      // A dialog around it stays open.
      event.stopPropagation();
      close();
      box.current.querySelector('button')?.focus();
    },
  };
}

/** A dialog that it has opened belongs to it. */
function isElsewhere(box: HTMLElement | null, target: EventTarget | null): boolean {
  if (!(target instanceof Element) || box?.contains(target)) return false;
  return target.closest('[data-dialog]')?.contains(box) ?? true;
}
