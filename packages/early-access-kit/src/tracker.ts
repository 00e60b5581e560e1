export { startTracker, type TrackerOptions } from './tracker/tracker.ts';
