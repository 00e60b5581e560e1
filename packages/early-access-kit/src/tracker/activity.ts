import { DURATION_TICK_MS } from '../core/limits.ts';
import type { SessionTotals } from '../core/records.ts';

/** Measures visible time, scroll depth and clicks of one session. Stores nothing; read it with `totals()`. */
export interface Activity {
  /** Adds listeners until the signal is aborted. */
  listen(until: { signal: AbortSignal }): void;
  /** Visible time only accumulates while `hidden` is false. */
  attend(hidden: boolean): void;
  totals(): Pick<SessionTotals, 'total_duration' | 'max_scroll_depth' | 'click_count'>;
  /** Resets all totals for a new session. Call only while the page counts as hidden. */
  reset(): void;
}

/** Calls `onTick` every five seconds while the page is visible. */
export function watchActivity(onTick: () => void): Activity {
  let visibleMs = 0;
  let depth = 0;
  /**
   * Percentage of the page seen at its current height. Only counts at the end: while a page loads it is shorter, so more of it looks
   * seen.
   */
  let seen = 0;
  /** Truthy if the next measurement counts: the visitor has scrolled, or a tick has passed. */
  let counts: unknown;
  let clicks = 0;
  /** `performance.now()` when visible time was last added; NaN while the page is hidden, so that no time is added. */
  let since = Number.NaN;
  let ticking: ReturnType<typeof setInterval> | undefined;

  // Called after a frame's layout, when requested and when the height changes, so that reading the height forces no layout. Old
  // browsers and jsdom lack ResizeObserver: there the scroll depth stays 0, and everything else is measured.
  const frame = window.ResizeObserver
    ? new ResizeObserver(() => {
        seen = Math.min(100, Math.round((100 * (scrollY + innerHeight)) / document.documentElement.scrollHeight) || 0);
        if (counts) depth = Math.max(depth, seen);
        counts = 0;
      })
    : undefined;

  /** Measures in the next frame, or in the current one on a scroll event, since those are fired before layout. */
  function measure(reason?: unknown): void {
    counts = reason;
    frame?.disconnect();
    frame?.observe(document.documentElement);
  }

  function settle(): void {
    // A monotonic clock, so that changing the system time does not lengthen the session.
    const gap = performance.now() - since;
    since += gap;
    // A gap far longer than a tick means that the machine was asleep.
    if (gap <= 2 * DURATION_TICK_MS) visibleMs += gap;
  }

  function tick(): void {
    settle();
    measure(1);
    onTick();
  }

  return {
    listen(until) {
      addEventListener('click', () => clicks++, until);
      addEventListener('scroll', measure, until);
    },
    attend(hidden) {
      settle();
      clearInterval(ticking);
      frame?.disconnect();
      since = Number.NaN;
      if (hidden) return;
      since = performance.now();
      ticking = setInterval(tick, DURATION_TICK_MS);
      measure();
    },
    totals() {
      settle();
      depth = Math.max(depth, seen);
      return { total_duration: Math.floor(visibleMs / 1000), max_scroll_depth: depth, click_count: clicks };
    },
    reset() {
      visibleMs = depth = clicks = 0;
    },
  };
}
