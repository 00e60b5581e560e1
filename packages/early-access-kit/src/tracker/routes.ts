/** A route change event, with its type in browsers with the Navigation API. */
export type RouteChange = Event & { readonly navigationType?: NavigationType | null };

/**
 * Returns a function that stores the current path and returns whether that is a page view in a single-page host: it differs from the path
 * stored before. A replaced history entry, such as a redirect by a router, is the same page view.
 */
export function watchPath(): (change?: RouteChange) => boolean {
  let path = location.pathname;
  return (change) => {
    const previous = path;
    path = location.pathname;
    return path !== previous && change?.navigationType !== 'replace';
  };
}

/** Calls back when the path may have changed, until the signal is aborted. Does not patch the host's `history`. */
export function onRouteChange(callback: (change: RouteChange) => void, until: { signal: AbortSignal }): void {
  addEventListener('popstate', callback, until);
  window.navigation?.addEventListener('currententrychange', callback, until);
}
