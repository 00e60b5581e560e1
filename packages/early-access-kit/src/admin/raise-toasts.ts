/**
 * Custom properties are inherited into shadow roots, so one on the document reaches the toasts of the elements, too.
 */
const SPACE = '--_eak-raise';

/** The maximum width of a toast, and a box on each side with its distance to the edge and to the toast. */
const TOAST_REM = 36;
const GAPS_REM = 3;

/** Keeps the toasts above a fixed box if there is no room beside it. Returns a function that stops this. */
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
