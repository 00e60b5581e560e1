import { vi } from 'vitest';

// The chart's library asks for the screen's resolution when it is loaded, so load this first; jsdom has none.
globalThis.matchMedia = () => Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;

/** Stands in for the layout and the scrolling that jsdom lacks, until globals are restored. */
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
