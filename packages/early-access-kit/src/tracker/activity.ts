import { DURATION_TICK_MS } from '../core/limits.ts';
import type { SessionTotals } from '../core/records.ts';

/** Measures visible time, scroll depth and clicks of one session. Stores nothing; read it with `totals()`. */
export interface ActivityMeter {
  /** Adds listeners until the signal is aborted. Call it before `setVisible`. */
  listen(until: { signal: AbortSignal }): void;
  /** Visible time only accumulates while `visible` is true. */
  setVisible(visible: boolean): void;
  totals(): Pick<SessionTotals, 'total_duration' | 'max_scroll_depth' | 'click_count'>;
  /** Resets all totals for a new session. Call only while the page counts as hidden. */
  reset(): void;
}

/**
 * Calls `onTick` every five seconds while the page is visible. Ticks are more frequent while the page is scrolled, and
 * in browsers without route change events, so that a page view of half a second is not lost.
 */
export function activityMeter(onTick: () => void): ActivityMeter {
  const root = document.documentElement;
  let clicks: number;
  let visibleMs: number;
  let maxDepth: number;
  /**
   * Percentage of the page seen at its current height. Added to `maxDepth` immediately if `depthCounts`, otherwise by
   * `totals()`.
   */
  let depth = 0;
  /** A page is short while it loads and looks fully seen, so depth counts only after a scroll or a tick. */
  let depthCounts: boolean | undefined;
  let visible: boolean | undefined;
  /** `performance.now()` when the time was last counted. */
  let lastCountedAt = 0;
  let ticking: ReturnType<typeof setTimeout> | undefined;
  /**
   * Set by `listen`. A scroll listener runs once and is added again by the next tick: pages scroll at 60 events a
   * second.
   */
  let options: AddEventListenerOptions;

  // Called after a frame's layout, when requested and when the height changes, so that reading heights forces no
  // layout. Old browsers and jsdom lack ResizeObserver: there the scroll depth is 0, and everything else is measured.
  const frame =
    window.ResizeObserver &&
    new ResizeObserver(() => {
      // If the document does not scroll, the page is the outermost scrollable element in the middle of the window. A
      // hit test is slow, so it is skipped for documents that scroll.
      const part = scrolls(root)
        ? root
        : (document.elementsFromPoint(innerWidth / 2, innerHeight / 2).findLast(scrolls) ?? root);
      depth = Math.min(
        100,
        Math.round((100 * (part.scrollTop + (part === root ? innerHeight : part.clientHeight))) / part.scrollHeight) ||
          0,
      );
      if (depthCounts) maxDepth = Math.max(depth, maxDepth);
      depthCounts = false;
    });

  function countTime(): void {
    // A monotonic clock, so that changing the system time does not lengthen the session.
    const gap = performance.now() - lastCountedAt;
    lastCountedAt += gap;
    if (visible && gap <= 2 * DURATION_TICK_MS) visibleMs += gap;
  }

  /**
   * Measures time immediately, and depth in the next frame, or in the current one on a scroll event, which is fired
   * before layout. Then schedules the next tick: soon after a scroll, so that its end is measured, too.
   */
  function measure(isVisible?: boolean, scroll?: Event): void {
    countTime();
    visible = isVisible;
    clearTimeout(ticking);
    frame?.disconnect();
    if (visible) {
      // Once the end was seen, scrolling changes nothing.
      if (!scroll && maxDepth < 100) addEventListener('scroll', tick, options);
      ticking = setTimeout(tick, scroll || !window.navigation ? 500 : DURATION_TICK_MS);
      frame?.observe(root);
    }
  }

  function tick(scroll?: Event): void {
    depthCounts = true;
    measure(visible, scroll);
    onTick();
  }

  return {
    listen(until) {
      addEventListener('click', () => clicks++, until);
      options = { ...until, once: true };
    },
    setVisible: measure,
    totals() {
      countTime();
      maxDepth = Math.max(depth, maxDepth);
      return { total_duration: Math.floor(visibleMs / 1000), max_scroll_depth: maxDepth, click_count: clicks };
    },
    reset() {
      visibleMs = maxDepth = clicks = 0;
    },
  };
}

function scrolls(element: Element): boolean {
  return element.clientHeight < element.scrollHeight;
}
