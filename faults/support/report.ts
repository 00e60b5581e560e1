import { appendFileSync } from 'node:fs';

/** Prints a figure, and notes it for the table at the end of `npm run test:faults`. */
export function report(name: string, figure: string | number): void {
  process.stdout.write(`${name}: ${figure}\n`);
  const { FAULTS_REPORT } = process.env;
  if (FAULTS_REPORT) appendFileSync(FAULTS_REPORT, `${JSON.stringify([name, figure])}\n`);
}
