/** Set on the document, because custom properties are inherited into the shadow roots of the elements' toasts, too. */
const SPACE = '--_eak-raise';

/** The maximum width of a toast, plus a box on each side with its distances to the edge and the toast. */
const TOAST_REM = 36;
const GAPS_REM = 3;

/** Raises the toasts above a fixed box if there is no room beside it. Returns a function that stops this. */
export function raiseToasts(box: HTMLElement): () => void {
  const root = box.ownerDocument.documentElement;
  const reserve = () => {
    const rem = Number.parseFloat(getComputedStyle(root).fontSize);
    const isNarrow = root.clientWidth < (TOAST_REM + GAPS_REM) * rem + 2 * box.offsetWidth;
    root.style.setProperty(SPACE, isNarrow ? `calc(${box.offsetHeight}px + 0.5rem)` : '0px');
  };
  reserve();
  addEventListener('resize', reserve);
  return () => {
    removeEventListener('resize', reserve);
    root.style.removeProperty(SPACE);
  };
}
