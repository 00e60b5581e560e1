/**
 * A ref for the region of messages: sets its height as `--ead-messages`, and scrolls the control that has the focus out
 * of it. The stylesheet decides where room is left for it.
 */
export function reserveRoom(region: HTMLElement | null): (() => void) | undefined {
  if (!region) return;
  const { style } = document.documentElement;
  const reserve = () => {
    style.setProperty('--ead-messages', `${region.offsetHeight}px`);
    const { top, bottom } = region.getBoundingClientRect();
    const focused = document.activeElement?.getBoundingClientRect();
    if (focused && focused.top < bottom && focused.bottom > top) {
      document.activeElement?.scrollIntoView({ block: 'nearest' });
    }
  };
  // The room that is left resizes other observed elements, so it is set in the next frame.
  const size = new ResizeObserver(() => requestAnimationFrame(reserve));
  size.observe(region);
  return () => {
    size.disconnect();
    style.removeProperty('--ead-messages');
  };
}
