import { vi } from 'vitest';

// The charting library reads the screen's resolution when it is loaded, so load this file first; jsdom has none.
globalThis.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;

/** Fakes the layout and scrolling that jsdom lacks, until globals are restored. */
export function standInForLayout(): void {
  class Observer {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
  vi.stubGlobal('ResizeObserver', Observer);
  vi.stubGlobal('IntersectionObserver', Observer);
  vi.stubGlobal('scrollTo', () => {});
  Element.prototype.scrollIntoView = () => {};
}
