import { startTracker } from 'early-access-kit/tracker';

Object.assign(globalThis, { startTracker });
