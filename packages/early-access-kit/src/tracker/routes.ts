/** What a change of the address says about itself, where the browser has the Navigation API. */
export type RouteChange = Event & { readonly navigationType?: NavigationType | null };

/**
 * Tells whether the path is another one than at the last look: in a single-page host that is a page view.
 * An entry that replaces the present one is the same page view under another address, as when a router redirects.
 */
export function watchPath(): (change?: RouteChange) => boolean {
  let path = location.pathname;
  return (change) => {
    const before = path;
    path = location.pathname;
    return path !== before && change?.navigationType !== 'replace';
  };
}

/** Calls back when the path may have changed, until the signal of the options. The host's `history` is left as it is. */
export function onRouteChange(callback: (change: RouteChange) => void, until: { signal: AbortSignal }): void {
  addEventListener('popstate', callback, until);
  window.navigation?.addEventListener('currententrychange', callback, until);
}
