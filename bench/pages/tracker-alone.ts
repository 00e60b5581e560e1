export { startTracker } from 'early-access-kit/tracker';
