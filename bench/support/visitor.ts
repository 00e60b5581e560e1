import { devices } from 'playwright';

/** A narrow window of a browser that does not call itself headless: the tracker takes that for a bot. */
export const VISITOR = { ...devices['Desktop Chrome'], viewport: { width: 390, height: 844 } };
