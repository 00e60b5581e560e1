import { startTracker } from 'early-access-kit/tracker';
import { isLandingPath } from './pages/paths.ts';
import { storage } from './storage.ts';

// The tracker is small and comes first, so that a visitor who leaves soon is counted. `SessionTracker` joins its
// session later.
if (isLandingPath(location.pathname)) startTracker({ adapter: storage });
import('./app.tsx');
