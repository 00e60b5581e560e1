import { type JoinPageTracker, type PageTrackerOptions, pageTracker } from './page-tracker.ts';
import { mayTrack, type PermissionOptions } from './permission.ts';
import { quietly } from './quietly.ts';

/** What `startTracker` is told. Options of a second call for the same page count for its own consent and callback alone. */
export interface TrackerOptions extends PageTrackerOptions, PermissionOptions {
  /**
   * Whether the visitor agrees to be tracked. `false` tracks nothing; a promise holds everything back, before anything is hashed, stored
   * or sent, until it fulfils with `true` (rejecting is a no). Without it the visitor is taken to agree.
   */
  consent?: boolean | PromiseLike<boolean> | undefined;
}

/** Every copy of this module in the page finds the same tracker under it. */
const TRACKER: unique symbol = Symbol.for('early-access-kit.tracker');

/**
 * Records the page's visit from now on, and answers with what stops it: that sends what is left and undoes every listener and timer.
 *
 * However often it is called, and by however many copies of the script, a page has one session; it is tracked until every call is stopped.
 * Calling it again after that goes on with the same session while that is not too old.
 * Never throws, and reports no failure of the adapter: the totals go out again with the next update. On a server it does nothing.
 */
export function startTracker(options: TrackerOptions): () => void {
  const { consent = true } = options;
  let undo: (() => void) | undefined;
  let stopped = false;

  function join(): void {
    // While the answer was awaited, or before the page was shown.
    if (stopped) return;
    const host: Window & { [TRACKER]?: JoinPageTracker } = window;
    host[TRACKER] ??= pageTracker();
    // A copy, because the same options given twice are still two callers.
    undo = host[TRACKER]({ ...options });
  }

  quietly(async () => {
    if (!mayTrack(options) || (consent !== true && (await consent) !== true)) return;
    const page: Document & { readonly prerendering?: boolean } = document;
    // Loaded on suspicion: there is no visitor yet, and perhaps there never is.
    if (page.prerendering) page.addEventListener('prerenderingchange', join, { once: true });
    else join();
  });
  return () => {
    stopped = true;
    undo?.();
  };
}
