import { startTracker } from 'early-access-kit/tracker';
import { isLandingPath } from './pages/paths.ts';
import { storage } from './storage.ts';

// Started first, because the tracker is small and visitors may leave soon. `SessionTracker` joins its session later.
if (isLandingPath(location.pathname)) startTracker({ adapter: storage });
import('./app.tsx');
