import path from 'node:path';

export const REPORTS = path.resolve(import.meta.dirname, '../../node_modules/.cache/reports');

/** Where Vitest and Playwright write their results for `npm test`; undefined if Turborepo did not start them. */
export const reportFile = process.env.TURBO_HASH && path.join(REPORTS, `${process.env.TURBO_HASH}.json`);
