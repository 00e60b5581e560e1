import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { reportFile } from './report-file.ts';

const start = process.cpuUsage();

/**
 * For `npm test -- --times`, which prints each file's processor time: that of its worker, without the programs and
 * browsers that the file starts.
 */
afterAll(() => {
  const { user, system } = process.cpuUsage(start);
  const line = JSON.stringify({ file: expect.getState().testPath, seconds: (user + system) / 1_000_000 });
  if (reportFile !== undefined) appendFileSync(`${reportFile}l`, `${line}\n`);
});
