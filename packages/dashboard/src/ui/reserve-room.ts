/**
 * A ref for the messages' region: sets `--ead-messages` to its height, and scrolls the focused control out from under
 * it. Stylesheets use the property to reserve space.
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
  // Setting the property resizes other observed elements, so it waits for the next frame.
  const size = new ResizeObserver(() => requestAnimationFrame(reserve));
  size.observe(region);
  return () => {
    size.disconnect();
    style.removeProperty('--ead-messages');
  };
}
