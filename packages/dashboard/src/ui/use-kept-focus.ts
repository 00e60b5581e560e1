import { useEffect } from 'react';

/**
 * When the focused control is removed, such as a button whose action is done, moves the focus to the title of the card
 * or else of the page. Otherwise keyboard and screen reader users would start at the top of the document.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let card: Element | null = null;
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
      // A dialog belongs to the card that opened it.
      if (!last?.closest('[role$=dialog]')) card = last?.closest('[data-card]') ?? null;
    };
    const restore = () => {
      if (last?.isConnected !== false || document.activeElement !== document.body) return;
      const title = card?.isConnected
        ? card.querySelector('h2')
        : document.querySelector<HTMLElement>('[data-page-title]');
      title?.focus({ preventScroll: true });
    };
    // Waits for the next frame, because a closing dialog first returns the focus to its opener.
    const observer = new MutationObserver(() => requestAnimationFrame(restore));
    addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
