import { appendFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';
import { reportFile } from './report-file.ts';

const start = process.cpuUsage();

/**
 * `npm test -- --times` prints the processor time of each file: of its worker, without the programs and browsers that
 * the file starts.
 */
afterAll(() => {
  const { user, system } = process.cpuUsage(start);
  const line = JSON.stringify({ file: expect.getState().testPath, seconds: (user + system) / 1_000_000 });
  if (reportFile !== undefined) appendFileSync(`${reportFile}l`, `${line}\n`);
});
