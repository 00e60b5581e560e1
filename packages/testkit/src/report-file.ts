import path from 'node:path';

/** The folder of the results that `npm test` adds up. */
export const REPORTS = path.resolve(import.meta.dirname, '../../../node_modules/.cache/reports');

/** The file for the results of Vitest or Playwright in `npm test`; undefined if Turborepo did not start them. */
export const reportFile = process.env.TURBO_HASH && path.join(REPORTS, `${process.env.TURBO_HASH}.json`);
