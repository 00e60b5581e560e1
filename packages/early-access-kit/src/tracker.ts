export { areOwnVisitsIgnored, ignoreOwnVisits, ignoreOwnVisitsByDefault } from './own-visits.ts';
export { startTracker, type TrackerOptions } from './tracker/tracker.ts';
export { forgetVisitor } from './tracker/visitor.ts';
