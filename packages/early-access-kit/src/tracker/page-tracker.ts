import type { StorageAdapter } from '../core/adapter.ts';
import { MAX_USER_AGENT_LENGTH } from '../core/limits.ts';
import { randomId } from '../core/random-id.ts';
import { entryReferrer } from '../core/referrer.ts';
import { watchActivity } from './activity.ts';
import { detectDevice } from './device.ts';
import { quietly } from './quietly.ts';
import { onRouteChange, type RouteChange, watchPath } from './routes.ts';
import { forgetSession, isLive, keepSession, readSession, restoreSession, type Session } from './stored-session.ts';
import { countVisit } from './visitor.ts';

/** The two adapter methods that record sessions. */
export type SessionAdapter = Pick<StorageAdapter, 'startSession' | 'updateSession'>;

export interface PageTrackerOptions {
  /** Stores the sessions. */
  adapter: SessionAdapter;
  /**
   * When the stored session ends: at `unload` (default), so that every document is a session of its own unless another tab shares it,
   * or `idle`, so that a multi-page host has one session across its documents. Both end after 30 minutes. Across the documents of a
   * session, page views add up; for time, clicks and depth the largest value counts.
   */
  endSession?: 'unload' | 'idle' | undefined;
  /** Called with the session's id when tracking starts and when a new session follows, and with null when tracking stops. */
  onSession?: ((id: string | null) => void) | undefined;
}

/** Starts tracking the document for one more caller, until the returned function is called. */
export type JoinPageTracker = (options: PageTrackerOptions) => () => void;

/**
 * Tracks one document for all callers. They share one session and the first caller's adapter. Tracking stops when the last caller
 * leaves. Its state is retained, so joining again resumes the same session and counts nothing twice.
 */
export function pageTracker(): JoinPageTracker {
  const page = {
    referrer: entryReferrer(document.referrer, location.origin),
    user_agent: navigator.userAgent.slice(0, MAX_USER_AGENT_LENGTH),
    ...detectDevice(navigator),
  };
  const joined = new Set<PageTrackerOptions>();
  const activity = watchActivity(onRoute);
  const moved = watchPath();
  let host: PageTrackerOptions;
  let session: Session | undefined;
  let listening: AbortController;
  /** True after the page was left or tracking stopped. The end was reported and must not be reported again. */
  let away: boolean;

  /** Resumes this page's session while it is live; otherwise joins the stored one or starts a new one. */
  function begin(isPageView: boolean): void {
    away = false;
    const own = session && isLive(session) ? session : undefined;
    if (!own) activity.reset();
    const found = own ?? readSession();
    if (found) goOn(found, isPageView || !own);
    else startSession();
    activity.attend(document.hidden);
  }

  function startSession(): void {
    const startTime = Date.now();
    const started = { sessionId: randomId(), startTime, pageViews: 1, ...countVisit(startTime, session) };
    goOn(started, false);
    quietly(() => host.adapter.startSession({ id: started.sessionId, ...startFields(started) }));
  }

  function goOn(found: Session, isPageView: boolean): void {
    session = keepSession(found, isPageView);
    if (isPageView) update(session, null);
  }

  /** An update with an end may be the last, so it must be sent even while the page is being closed. */
  function update(told: Session, session_end: number | null): void {
    quietly(() =>
      host.adapter.updateSession(
        told.sessionId,
        { ...startFields(told), session_end, page_count: told.pageViews, ...activity.totals() },
        { final: !!session_end },
      ),
    );
  }

  const startFields = (told: Session) => ({
    ...page,
    visitor_id: told.visitorId,
    session_start: told.startTime,
    is_returning_visitor: told.totalSessions > 1,
    total_sessions: told.totalSessions,
  });

  function onRoute(change?: RouteChange): void {
    if (moved(change) && session) goOn(session, true);
  }

  function onLeave(): void {
    if (away || !session) return;
    onRoute();
    away = true;
    activity.attend(true);
    update(session, Date.now());
    if (host.endSession !== 'idle') forgetSession(session);
  }

  function onReturn({ persisted }: PageTransitionEvent): void {
    if (!persisted) return;
    begin(true);
    for (const options of joined) tell(options);
  }

  function onVisibilityChange(): void {
    // Browsers also hide a page after `pagehide`.
    if (away || !session) return;
    onRoute();
    activity.attend(document.hidden);
    if (document.hidden) update(session, Date.now());
  }

  function onStorage(change: StorageEvent): void {
    if (!away && session) restoreSession(session, change);
  }

  function tell({ onSession }: PageTrackerOptions, id = session?.sessionId ?? null): void {
    quietly(() => onSession?.(id));
  }

  return (options) => {
    if (!joined.size) {
      host = options;
      begin(moved());
      listening = new AbortController();
      // Capture, so that clicks count even if the page stops their propagation, and document events arrive at `window` too.
      const until = { signal: listening.signal, capture: true, passive: true };
      addEventListener('pagehide', onLeave, until);
      addEventListener('pageshow', onReturn, until);
      addEventListener('storage', onStorage, until);
      addEventListener('visibilitychange', onVisibilityChange, until);
      onRouteChange(onRoute, until);
      activity.listen(until);
    }
    joined.add(options);
    tell(options);
    return () => {
      // Called twice, or others are still tracking.
      if (!joined.delete(options) || joined.size) return;
      onLeave();
      listening.abort();
      tell(options, null);
    };
  };
}
