import { devices } from 'playwright';

/** A narrow browser window that does not identify as headless, because the tracker treats headless browsers as bots. */
export const VISITOR = { ...devices['Desktop Chrome'], viewport: { width: 390, height: 844 } };
