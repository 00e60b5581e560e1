/**
 * Inlined into the pages by the build. Loads the page's script after the first paint of content, or at once when the
 * visitor begins to use the page. Hidden and prerendered pages are not painted, so nothing waits there.
 */
const url = document.currentScript?.dataset.src ?? '';
const waiting = new AbortController();

function load(): void {
  waiting.abort();
  import(/* @vite-ignore */ url);
}

/** A page that has not been painted by then never will be, or its browser does not report it. */
const LATEST_MS = 3_000;

if (document.hidden) load();
else {
  const until = { signal: waiting.signal, capture: true, passive: true };
  for (const type of ['pointerdown', 'keydown', 'focusin', 'visibilitychange']) addEventListener(type, load, until);
  // Chromium also reports the first paint of a background, before there is any content.
  const observer = new PerformanceObserver((paints) => {
    if (paints.getEntriesByName('first-contentful-paint').length > 0) load();
  });
  observer.observe({ type: 'paint', buffered: true });
  // Does nothing if the script was loaded before: a browser runs a module once.
  setTimeout(load, LATEST_MS);
}
