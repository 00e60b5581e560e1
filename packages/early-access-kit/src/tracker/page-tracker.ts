import type { StorageAdapter } from '../core/adapter.ts';
import { campaignOf, entryReferrer } from '../core/attribution.ts';
import type { MAX_USER_AGENT_LENGTH } from '../core/limits.ts';
import { randomId } from '../core/random-id.ts';
import { activityMeter } from './activity.ts';
import { detectDevice } from './device.ts';
import { type RouteChange, readPath } from './routes.ts';
import { ifLive, readSession, removeSession, type Session, saveSession } from './stored-session.ts';
import { countSession } from './visitor.ts';

/** The two adapter methods that record sessions. */
export type SessionAdapter = Pick<StorageAdapter, 'startSession' | 'updateSession'>;

export interface PageTrackerOptions {
  /** Stores the sessions. */
  adapter: SessionAdapter;
  /**
   * When the stored session ends. `unload` (default): each document has its own session, unless another tab shares it.
   * `idle`: a multi-page host has one session across its documents. Both end after 30 minutes. Across the documents of
   * a session, page views add up; for time, clicks and depth the largest value counts.
   */
  endSession?: 'unload' | 'idle' | undefined;
  /**
   * Called with the session's id when tracking starts and when a new session follows, and with null when tracking
   * stops.
   */
  onSession?: ((id: string | null) => void) | undefined;
}

/** Adds a caller that tracks the document. Returns a function that removes it. */
export type JoinPageTracker = (options: PageTrackerOptions) => () => void;

/**
 * Tracks one document for all callers. They share one session and the first caller's adapter. Tracking stops when the
 * last caller leaves. Its state is retained, so joining again resumes the same session and counts nothing twice.
 */
export function pageTracker(): JoinPageTracker {
  let path = readPath();
  // The limits are literals that types check, because some bundlers keep a constant as a variable.
  const page = {
    referrer: entryReferrer(document.referrer, location.origin),
    user_agent: navigator.userAgent.slice(0, 1_024 satisfies typeof MAX_USER_AGENT_LENGTH),
    ...detectDevice(navigator),
  };
  const landing = { ...campaignOf(location.search), landing_path: path };
  /** The session that started on this page. An earlier page's session keeps its own landing page. */
  let ownId: string | undefined;
  const callers = new Set<PageTrackerOptions>();
  const activity = activityMeter(onRoute);
  /** The first caller since tracking last started. */
  let host: PageTrackerOptions;
  /** Set by `begin`, before any event is handled. */
  let session: Session;
  let listeners: AbortController;
  /** True after the page was left or tracking stopped: the end was reported once and must not be reported again. */
  let hasEnded = false;

  /** Resumes this page's session while it is live; otherwise joins the stored one or starts a new one. */
  function begin(isPageView: boolean): void {
    hasEnded = false;
    const own = session && ifLive(session);
    if (!own) activity.reset();
    const found = own || readSession();
    if (found) resume(found, !own || isPageView);
    else startSession();
    activity.setVisible(!document.hidden);
  }

  function startSession(): void {
    const startTime = Date.now();
    ownId = randomId();
    resume({ startTime, sessionId: ownId, pageViews: 1, ...countSession(startTime, session) }, false);
    ignoreErrors(() => host.adapter.startSession({ id: session.sessionId, ...startFields() }));
  }

  function resume(found: Session, isPageView: boolean): void {
    session = saveSession(found, isPageView);
    if (isPageView) sendUpdate(null);
  }

  /** An update with an end may be the last one, so it must be sent even while the page is being closed. */
  function sendUpdate(session_end: number | null): void {
    ignoreErrors(() =>
      host.adapter.updateSession(
        session.sessionId,
        { ...startFields(), session_end, page_count: session.pageViews, page_path: path, ...activity.totals() },
        { final: session_end !== null },
      ),
    );
  }

  const startFields = () => ({
    is_returning_visitor: session.totalSessions > 1,
    ...page,
    ...(session.sessionId === ownId && landing),
    total_sessions: session.totalSessions,
    visitor_id: session.visitorId,
    session_start: session.startTime,
  });

  /** Returns whether the path has changed since the last call. */
  function hasMoved(): boolean {
    const previous = path;
    path = readPath();
    return path !== previous;
  }

  /**
   * A path change is a page view in a single-page host, unless it replaced a history entry, like redirects of routers.
   * The host's `history` is not patched: without the Navigation API, the next tick detects changes.
   */
  function onRoute(change?: RouteChange): void {
    if (hasMoved() && change?.navigationType !== 'replace') resume(session, true);
  }

  /**
   * Reports the page's visibility, and with `leaves` the end of its session. Browsers report a page as hidden again
   * after `pagehide`.
   */
  function report(leaves: boolean): void {
    if (hasEnded) return;
    onRoute();
    hasEnded = leaves;
    const hidden = leaves || document.hidden;
    activity.setVisible(!hidden);
    if (hidden) sendUpdate(Date.now());
    if (leaves && host.endSession !== 'idle') removeSession(session);
  }

  function notify({ onSession }: PageTrackerOptions, id: string | null = session.sessionId): void {
    ignoreErrors(() => onSession?.(id));
  }

  return (options) => {
    if (!callers.size) {
      host = options;
      listeners = new AbortController();
      // Capture, so that clicks count even if the page stops their propagation, and document events arrive at `window`
      // too.
      const until = { signal: listeners.signal, capture: true };
      addEventListener('pagehide', () => report(true), until);
      addEventListener(
        'pageshow',
        ({ persisted }) => {
          if (!persisted) return;
          begin(true);
          for (const caller of callers) notify(caller);
        },
        until,
      );
      activity.listen(until);
      addEventListener('visibilitychange', () => report(false), until);
      addEventListener(
        'storage',
        ({ oldValue }) => {
          // Another tab of the session counted a page view, or removed the session when it ended.
          if (!hasEnded && oldValue?.includes(session.sessionId)) session = saveSession(session, false);
        },
        until,
      );
      window.navigation?.addEventListener('currententrychange', onRoute, until);
      addEventListener('popstate', onRoute, until);
      begin(hasMoved());
    }
    callers.add(options);
    notify(options);
    return () => {
      // Already called, or others are still tracking.
      if (!callers.delete(options) || callers.size) return;
      report(true);
      listeners.abort();
      notify(options, null);
    };
  };
}

/**
 * Runs an action and ignores all errors (SPEC section 8). The code before the action's first `await` runs
 * synchronously.
 */
export async function ignoreErrors(action: () => unknown): Promise<void> {
  try {
    await action();
  } catch {
    // The next update sends the totals again.
  }
}
