/** Distance between the focused element and the box, in CSS pixels: the focus ring plus a margin. */
const GAP = 8;

/** Scrolls each newly focused element out from under a fixed box (WCAG 2.4.11). Returns a function that stops this. */
export function uncoverFocus(box: Element): () => void {
  const onFocusIn = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || box.contains(target)) return;
    // Runs after the browser's own scrolling to the focused element.
    requestAnimationFrame(() => {
      const over = box.getBoundingClientRect();
      const focused = target.getBoundingClientRect();
      const apart =
        focused.right < over.left ||
        focused.left > over.right ||
        focused.bottom < over.top ||
        focused.top > over.bottom ||
        // An element taller than the space above the box is left to the browser.
        focused.height > over.top;
      if (!apart) scrollBy({ top: focused.bottom - over.top + GAP });
    });
  };
  addEventListener('focusin', onFocusIn);
  return () => removeEventListener('focusin', onFocusIn);
}
