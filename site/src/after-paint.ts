/**
 * Inlined into the pages by the build. Loads the page's script after the first contentful paint, or immediately when
 * the visitor starts to use the page. Hidden and prerendered pages are not painted, so their script loads immediately.
 */
const url = document.currentScript?.dataset.src ?? '';
const waiting = new AbortController();

function load(): void {
  waiting.abort();
  import(/* @vite-ignore */ url);
}

/** If nothing has been painted by then, the page never will be, or the browser does not report it. */
const LATEST_MS = 3_000;

if (document.hidden) load();
else {
  const until = { signal: waiting.signal, capture: true, passive: true };
  for (const type of ['pointerdown', 'keydown', 'focusin', 'visibilitychange']) addEventListener(type, load, until);
  // Chromium also reports the first paint of a background without content.
  const observer = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) load();
  });
  observer.observe({ type: 'paint', buffered: true });
  // Loading twice is harmless, because a browser runs a module once.
  setTimeout(load, LATEST_MS);
}
