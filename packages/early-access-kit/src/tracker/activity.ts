import { DURATION_TICK_MS } from '../core/limits.ts';
import type { SessionTotals } from '../core/records.ts';

/** How long, how far and how actively the page is used. Nothing is written anywhere; `totals` tells when asked. */
export interface Activity {
  /** Listens until the signal of the options. */
  listen(until: { signal: AbortSignal }): void;
  /** Says whether the page can be seen. Only then does time count. */
  attend(visible: boolean): void;
  totals(): Pick<SessionTotals, 'total_duration' | 'max_scroll_depth' | 'click_count'>;
  /** Starts again from nothing, for a new session. Called while the page is not attended to. */
  reset(): void;
}

/** `onTick` is called every five seconds while the page can be seen. */
export function watchActivity(onTick: () => void): Activity {
  /** Later than any clock: while the page is hidden no time has passed since then. */
  const hidden = 9e15;
  let visibleMs = 0;
  let depth = 0;
  let clicks = 0;
  /** When the time was last counted. */
  let since = hidden;
  let ticking: ReturnType<typeof setInterval> | undefined;

  /** Counts what has passed since the last time, if that is at least `pauseMs`. */
  function settle(pauseMs = 0): void {
    // A monotonic clock: somebody who sets the time does not lengthen the visit.
    const gap = performance.now() - since;
    if (gap < pauseMs) return;
    since += gap;
    // Far longer than a tick: the machine was asleep.
    if (gap <= 2 * DURATION_TICK_MS) visibleMs += gap;
    depth = Math.max(depth, seenPercent());
  }

  function tick(): void {
    settle();
    onTick();
  }

  return {
    listen(until) {
      // While capturing, so that a click counts even where the page stops its way.
      const options = { ...until, capture: true, passive: true };
      addEventListener('click', () => clicks++, options);
      // Reading the height may force a layout: ten times a second at most. The first event of the way back is still near the turn.
      addEventListener('scroll', () => settle(100), options);
    },
    attend(visible) {
      settle();
      clearInterval(ticking);
      since = visible ? performance.now() : hidden;
      if (visible) ticking = setInterval(tick, DURATION_TICK_MS);
    },
    totals() {
      settle();
      return { total_duration: Math.floor(visibleMs / 1000), max_scroll_depth: depth, click_count: clicks };
    },
    reset() {
      visibleMs = depth = clicks = 0;
    },
  };
}

/** Whole percent of the document above the lower edge of the window; 100 where the window is the taller one. */
function seenPercent(): number {
  const seen = (scrollY + innerHeight) / document.documentElement.scrollHeight;
  return Math.min(100, Math.round(100 * seen) || 0);
}
