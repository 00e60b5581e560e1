/** Custom properties are inherited into shadow roots, so one on the document reaches the toasts of the elements, too. */
const SPACE = '--eak-counter-space';

/** Up to this width of the window, a toast in the middle would meet a box in the corner. */
const NARROW_REM = 72;

/** Keeps the toasts above a fixed box if there is no room beside it. Returns a function that stops this. */
export function raiseToasts(box: HTMLElement): () => void {
  const root = box.ownerDocument.documentElement;
  const reserve = () => {
    const rem = Number.parseFloat(getComputedStyle(root).fontSize);
    const isNarrow = root.clientWidth <= NARROW_REM * rem;
    root.style.setProperty(SPACE, isNarrow ? `calc(${box.offsetHeight}px + 0.5rem)` : '0px');
  };
  reserve();
  addEventListener('resize', reserve);
  return () => {
    removeEventListener('resize', reserve);
    root.style.removeProperty(SPACE);
  };
}
