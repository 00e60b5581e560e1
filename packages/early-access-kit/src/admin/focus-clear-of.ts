/** Between what has the focus and the box, in CSS pixels: the ring around it, and a little more. */
const GAP = 8;

/** Scrolls whatever takes the focus out from under a fixed box (WCAG 2.4.11). Returns its own undo. */
export function keepFocusClearOf(box: Element): () => void {
  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || box.contains(target)) return;
    // After the browser has done its own scrolling to what is focused.
    requestAnimationFrame(() => {
      const over = box.getBoundingClientRect();
      const focused = target.getBoundingClientRect();
      const apart =
        focused.right < over.left ||
        focused.left > over.right ||
        focused.bottom < over.top ||
        focused.top > over.bottom ||
        // Taller than what is left above the box: the browser knows better which part of it to show.
        focused.height > over.top;
      if (!apart) scrollBy({ top: focused.bottom - over.top + GAP });
    });
  };
  addEventListener('focusin', onFocusIn);
  return () => removeEventListener('focusin', onFocusIn);
}
