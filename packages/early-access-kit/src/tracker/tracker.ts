import { areOwnVisitsIgnored } from '../own-visits.ts';
import { ignoreErrors, type JoinPageTracker, type PageTrackerOptions, pageTracker } from './page-tracker.ts';
import { mayTrack, type PermissionOptions } from './permission.ts';

/** Options of `startTracker`. A second call for the same page only uses `consent` and `onSession`. */
export interface TrackerOptions extends PageTrackerOptions, PermissionOptions {
  /**
   * The visitor's consent to tracking. `false` tracks nothing. With a promise, nothing is hashed, stored or sent before
   * it fulfills with `true`; a rejection means no. Default: true.
   */
  consent?: boolean | PromiseLike<boolean> | undefined;
}

/** All copies of this module in the page find the same tracker under this key. */
const TRACKER: unique symbol = Symbol.for('early-access-kit.tracker');

declare const window: Window & { [TRACKER]?: JoinPageTracker };
/** Only Chromium prerenders pages. */
declare const document: Document & { readonly prerendering?: boolean };

/**
 * Starts recording the page's session. Returns a function that stops it: it sends the remaining data and removes all
 * listeners and timers.
 *
 * A page has one session, no matter how often this is called, or by how many copies of the script. It is tracked until
 * every call is stopped. Calling it again after that resumes the same session unless it is too old. Never throws and
 * reports no adapter errors: the next update sends the totals again. Does nothing on a server, and nothing in the
 * admin's own browser (the overlay is unlocked or the dashboard was opened), unless the admin chose to be counted.
 *
 * @example
 * const stop = startTracker({ adapter: httpAdapter(), consent: askForConsent() });
 */
export function startTracker(options: TrackerOptions): () => void {
  const { consent = true } = options;
  let leave: (() => void) | undefined;
  let stopped: boolean | undefined;

  function join(): void {
    // Stopped while consent was pending or the page was prerendering. Without consent, storage must not even be read.
    if (areOwnVisitsIgnored() || stopped) return;
    window[TRACKER] ??= pageTracker();
    // Copied, because the same options object passed twice still counts as two callers.
    leave = window[TRACKER]({ ...options });
  }

  ignoreErrors(async () => {
    if (!mayTrack(options) || (consent !== true && (await consent) !== true)) return;
    // A prerendered page may never be shown to a visitor.
    if (document.prerendering) document.addEventListener('prerenderingchange', join, { once: true });
    else join();
  });
  return () => {
    stopped = true;
    leave?.();
  };
}
