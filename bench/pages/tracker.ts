import { httpAdapter } from 'early-access-kit/adapters/http';
import { startTracker } from 'early-access-kit/tracker';

startTracker({ adapter: httpAdapter() });
