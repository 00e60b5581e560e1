import { useEffect } from 'react';
import { useEarlyAccess } from '../provider.tsx';
import { startTracker, type TrackerOptions } from './tracker.ts';

/** As for `startTracker`; the adapter and the place of the session's id are the provider's. */
export type SessionTrackerOptions = Omit<TrackerOptions, 'adapter' | 'onSession'>;

/**
 * Tracks the visit while the component is mounted, and lets the sign-up forms of the same provider know it.
 * A `consent` given later starts it then; taken back, it stops it. A promise has to be the same one in every render.
 */
export function useSessionTracker({ consent, endSession, ignoreGpc, allowBots }: SessionTrackerOptions = {}): void {
  const { adapter, session } = useEarlyAccess();
  useEffect(
    () =>
      startTracker({
        adapter,
        consent,
        endSession,
        ignoreGpc,
        allowBots,
        onSession(id) {
          session.current = id;
        },
      }),
    [adapter, session, consent, endSession, ignoreGpc, allowBots],
  );
}
