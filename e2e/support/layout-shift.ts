import type { Page } from '@playwright/test';

/** Chromium's entry, which TypeScript's library lacks. */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  /** The visitor has just done something: what moves then is the answer to it. */
  readonly hadRecentInput: boolean;
}

/** Runs in the page, before anything of it: adds up what moves by itself. */
export function countLayoutShift(): void {
  const isShift = (entry: PerformanceEntry): entry is LayoutShift => 'hadRecentInput' in entry;
  const total = { shift: 0 };
  Object.assign(window, { layoutShift: total });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (isShift(entry) && !entry.hadRecentInput) total.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The sum so far. Two frames later whatever has moved is measured and told. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return Reflect.get(window, 'layoutShift').shift;
  });
}
