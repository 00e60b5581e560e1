import type { Page } from '@playwright/test';

/** Chromium's performance entry, which TypeScript's DOM types lack. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  /** True shortly after an input. Such shifts are expected and do not count. */
  readonly hadRecentInput: boolean;
}

/** Runs in the page before its own scripts and sums up unexpected layout shifts. */
export function countLayoutShift(): void {
  const isShift = (entry: PerformanceEntry): entry is LayoutShift => 'hadRecentInput' in entry;
  const total = { shift: 0 };
  Object.assign(window, { layoutShift: total });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (isShift(entry) && !entry.hadRecentInput) total.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Returns the sum so far. Waits two frames, because entries are reported after their frame. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return Reflect.get(window, 'layoutShift').shift;
  });
}
