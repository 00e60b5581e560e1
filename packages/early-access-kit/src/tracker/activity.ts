import { DURATION_TICK_MS } from '../core/limits.ts';
import type { SessionTotals } from '../core/records.ts';

/** How long, how far and how actively the page is used. Nothing is written anywhere; `totals` tells when asked. */
export interface Activity {
  /** Listens until the signal of the options. */
  listen(until: { signal: AbortSignal }): void;
  /** Says whether the page is hidden. Only while it can be seen does time count. */
  attend(hidden: boolean): void;
  totals(): Pick<SessionTotals, 'total_duration' | 'max_scroll_depth' | 'click_count'>;
  /** Starts again from nothing, for a new session. Called while the page is not attended to. */
  reset(): void;
}

/** `onTick` is called every five seconds while the page can be seen. */
export function watchActivity(onTick: () => void): Activity {
  let visibleMs = 0;
  let depth = 0;
  /** Percent of the page as it stands. By itself it counts at the end alone: while it loads, a page is shorter, and more of it is seen. */
  let seen = 0;
  /** Whether what is measured next counts: the visitor has scrolled there, or has had the time to look at it. */
  let counts: unknown;
  let clicks = 0;
  /** When the time was last counted. Not a number while the page is hidden, so that none has passed since then. */
  let since = Number.NaN;
  let ticking: ReturnType<typeof setInterval> | undefined;

  // Called in a frame, after its layout, so that reading the height forces none: when told to, and when the height changes.
  // Old browsers and jsdom lack ResizeObserver: the scroll depth stays 0 there, and all else is measured.
  const frame = window.ResizeObserver
    ? new ResizeObserver(() => {
        seen = Math.min(100, Math.round((100 * (scrollY + innerHeight)) / document.documentElement.scrollHeight) || 0);
        if (counts) depth = Math.max(depth, seen);
        counts = 0;
      })
    : undefined;

  /** Measures in the next frame; at a scroll event in the same one, since those come before its layout. */
  function measure(reason?: unknown): void {
    counts = reason;
    frame?.disconnect();
    frame?.observe(document.documentElement);
  }

  function settle(): void {
    // A monotonic clock: somebody who sets the time does not lengthen the visit.
    const gap = performance.now() - since;
    since += gap;
    // Far longer than a tick: the machine was asleep.
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
