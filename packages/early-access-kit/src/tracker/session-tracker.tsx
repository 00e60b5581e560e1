import { type SessionTrackerOptions, useSessionTracker } from './use-session-tracker.ts';

export type SessionTrackerProps = SessionTrackerOptions;

/** Tracks the visit while it is mounted; renders nothing. Stands anywhere below the provider. */
export function SessionTracker(props: SessionTrackerProps): null {
  useSessionTracker(props);
  return null;
}
