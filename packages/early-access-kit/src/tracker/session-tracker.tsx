import { type SessionTrackerOptions, useSessionTracker } from './use-session-tracker.ts';

export type SessionTrackerProps = SessionTrackerOptions;

/** Tracks the session while it is mounted; renders nothing. Mount it anywhere below the provider. */
export function SessionTracker(props: SessionTrackerProps): null {
  useSessionTracker(props);
  return null;
}
