import { useEffect, useRef } from 'react';
import { useEarlyAccess } from '../provider.tsx';
import { startTracker, type TrackerOptions } from './tracker.ts';
import { forgetVisitor } from './visitor.ts';

/** The options of `startTracker` that the provider does not supply. */
type SessionTrackerOptions = Omit<TrackerOptions, 'adapter' | 'onSession'>;

/**
 * Tracks the session while the component is mounted, and shares it with the signup forms of the same provider. Tracking
 * starts when `consent` is given and stops when it is withdrawn, which also removes all stored data. A promise must be
 * the same one in every render.
 *
 * @example
 * useSessionTracker({ consent: hasConsent });
 */
export function useSessionTracker({ consent, endSession, ignoreGpc, allowBots }: SessionTrackerOptions = {}): void {
  const { adapter, session } = useEarlyAccess();
  const before = useRef(consent);
  useEffect(() => {
    // Pages also pass false before they have asked, so only a change counts as withdrawal.
    if (consent === false && before.current !== false) forgetVisitor();
    before.current = consent;
    return startTracker({
      adapter,
      consent,
      endSession,
      ignoreGpc,
      allowBots,
      onSession(id) {
        session.current = id;
      },
    });
  }, [adapter, session, consent, endSession, ignoreGpc, allowBots]);
}

/**
 * Tracks the session while it is mounted; renders nothing. Mount it anywhere below the provider.
 *
 * @example
 * <SessionTracker consent={hasConsent} />
 */
export function SessionTracker(props: SessionTrackerOptions): null {
  useSessionTracker(props);
  return null;
}
