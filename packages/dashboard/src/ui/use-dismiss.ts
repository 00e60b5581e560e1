import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';

/**
 * Closes what a button has opened: on Escape, which returns the focus to the button, on a click elsewhere, and when the
 * focus leaves. Returns props for the element around both, whose first button opens it.
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
    // React events also bubble from dialogs that are portaled out of the element.
    onBlur({ target, relatedTarget }: FocusEvent) {
      if (isOpen && box.current?.contains(target) && isElsewhere(box.current, relatedTarget)) close();
    },
    onKeyDown(event: KeyboardEvent) {
      const { key, target } = event;
      if (!isOpen || key !== 'Escape' || !(target instanceof Node && box.current?.contains(target))) return;
      // Keeps a surrounding dialog open.
      event.stopPropagation();
      close();
      box.current.querySelector('button')?.focus();
    },
  };
}

/** Clicks in a dialog that it has opened are not elsewhere. */
function isElsewhere(box: HTMLElement | null, target: EventTarget | null): boolean {
  if (!(target instanceof Element) || box?.contains(target)) return false;
  return target.closest('[data-dialog]')?.contains(box) ?? true;
}
