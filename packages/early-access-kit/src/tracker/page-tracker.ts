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

/** The two calls that record visits. */
export type SessionAdapter = Pick<StorageAdapter, 'startSession' | 'updateSession'>;

export interface PageTrackerOptions {
  /** Where visits are kept. */
  adapter: SessionAdapter;
  /**
   * When the stored session ends: at `unload`, so that every document is a visit of its own unless another tab of it is open,
   * or `idle`, so that hosts of several documents have one visit across them. `unload` unless given. Both end after 30 minutes.
   * Over the documents of a visit page views add up; of time, clicks and depth the largest counts.
   */
  endSession?: 'unload' | 'idle' | undefined;
  /** Told the id of the visit once tracking has begun and when another visit follows, and null when it has stopped. */
  onSession?: ((id: string | null) => void) | undefined;
}

/** Has the document tracked for one more caller, until the function that it answers with is called. */
export type JoinPageTracker = (options: PageTrackerOptions) => () => void;

/**
 * Tracks one document for all who join: they share one session, and the adapter of whoever came first. When the last one leaves,
 * tracking stops; its state stays, so that joining again goes on with the same session and counts nothing twice.
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
  /** The page has been left, or tracking has stopped: its end is told, and must not be told again. */
  let away: boolean;

  /** Goes on with this page's session while it is live; after that joins the stored one, or starts one. */
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

  /** With an end it may be the last that can be told, and has to leave the page even while that is being closed. */
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
    // Browsers also hide a page that has been left, after `pagehide`.
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
      // While capturing, so that a click counts even where the page stops its way, and one place hears what is told to the document.
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
      // Called twice, or while others stay: nothing ends.
      if (!joined.delete(options) || joined.size) return;
      onLeave();
      listening.abort();
      tell(options, null);
    };
  };
}
