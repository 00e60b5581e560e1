import { DURATION_TICK_MS } from '../core/limits.ts';
import type { SessionTotals } from '../core/records.ts';

/** Measures visible time, scroll depth and clicks of one session. Stores nothing; read it with `totals()`. */
export interface ActivityMeter {
  /** Adds listeners until the signal is aborted. */
  listen(until: { signal: AbortSignal }): void;
  /** Visible time only accumulates while `visible` is true. */
  setVisible(visible: boolean): void;
  totals(): Pick<SessionTotals, 'total_duration' | 'max_scroll_depth' | 'click_count'>;
  /** Resets all totals for a new session. Call only while the page counts as hidden. */
  reset(): void;
}

/** Two ticks: a longer gap means that the machine was asleep. */
const MAX_GAP_MS = 10_000;

/** Calls `onTick` every five seconds while the page is visible, and more often while it is scrolled. */
export function activityMeter(onTick: () => void): ActivityMeter {
  let visibleMs = 0;
  let clicks = 0;
  let maxDepth = 0;
  /** Percentage of the page seen at its current height. Added to `maxDepth` at once if `depthCounts`, otherwise by `totals()`. */
  let depth = 0;
  /** A page is short while it loads and looks fully seen, so depth counts only after a scroll or a tick. */
  let depthCounts: boolean | undefined;
  let visible = false;
  /** `performance.now()` when the time was last counted. */
  let lastCountedAt = 0;
  let ticking: ReturnType<typeof setTimeout> | undefined;
  /** Whether a scroll was measured a moment ago. A page fires sixty events a second while it is scrolled, and needs few measurements. */
  let resting: boolean | undefined;

  // Called after a frame's layout, when requested and when the height changes, so that reading the height forces no layout. Old
  // browsers and jsdom lack ResizeObserver: there the scroll depth is 0, and everything else is measured.
  const frame =
    window.ResizeObserver &&
    new ResizeObserver(() => {
      depth = Math.min(100, Math.round((100 * (scrollY + innerHeight)) / document.documentElement.scrollHeight) || 0);
      if (depthCounts) maxDepth = Math.max(maxDepth, depth);
      depthCounts = false;
    });

  function countTime(): void {
    // A monotonic clock, so that changing the system time does not lengthen the session.
    const gap = performance.now() - lastCountedAt;
    lastCountedAt += gap;
    if (visible && gap <= MAX_GAP_MS) visibleMs += gap;
  }

  /**
   * Measures time at once, and depth in the next frame, or in the current one on a scroll event, since those are fired before layout.
   * The next tick follows: soon after a scroll, so that its end is measured too.
   */
  function measure(isVisible: boolean, counts?: boolean, isScroll?: boolean): void {
    countTime();
    visible = isVisible;
    frame?.disconnect();
    clearTimeout(ticking);
    depthCounts = counts;
    resting = isScroll;
    if (visible) {
      ticking = setTimeout(tick, isScroll ? 400 : DURATION_TICK_MS);
      frame?.observe(document.documentElement);
    }
  }

  function tick(isScroll?: boolean): void {
    measure(visible, true, isScroll);
    onTick();
  }

  return {
    listen(until) {
      addEventListener('click', () => clicks++, until);
      addEventListener('scroll', () => resting || tick(true), until);
    },
    setVisible: measure,
    totals() {
      countTime();
      maxDepth = Math.max(maxDepth, depth);
      return { total_duration: Math.floor(visibleMs / 1000), max_scroll_depth: maxDepth, click_count: clicks };
    },
    reset() {
      visibleMs = maxDepth = clicks = 0;
    },
  };
}
