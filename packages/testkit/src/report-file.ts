import path from 'node:path';

/** The folder of the results that `npm test` sums up. */
export const REPORTS = path.resolve(import.meta.dirname, '../../../node_modules/.cache/reports');

/** The results file of Vitest or Playwright in `npm test`; undefined if not started by Turborepo. */
export const reportFile = process.env.TURBO_HASH && path.join(REPORTS, `${process.env.TURBO_HASH}.json`);
