/**
 * All checks, as many at a time as there are cores: `npm test`. `npm test -- unit e2e` runs the named ones (with what they need).
 * The last line is `N passed, N failed`, the sum over all suites; a check without tests of its own counts as one.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { ROOT } from '../run.ts';
import { type Check, type Outcome, runChecks } from '../test/checks.ts';
import { allChecks } from '../test/steps.ts';

const REPORTS = path.join(ROOT, 'node_modules', '.cache', 'reports');
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const checks = await allChecks(REPORTS);
const outcomes = await runChecks(selected(checks, process.argv.slice(2)), availableParallelism(), report);

for (const { name, output } of outcomes.filter(({ failed }) => failed > 0)) {
  console.log(`\n──── ${name} ────\n${output.trim()}`);
}
const passed = sum(outcomes.map((outcome) => outcome.passed));
const failed = sum(outcomes.map((outcome) => outcome.failed));
const skipped = sum(outcomes.map((outcome) => outcome.skipped));
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** The named checks and what they need; all of them where none is named. */
function selected(all: readonly Check[], names: readonly string[]): Check[] {
  if (names.length === 0) return [...all];
  const wanted = new Set(names);
  for (const name of wanted) {
    const check = all.find((candidate) => candidate.name === name);
    if (!check) {
      console.error(
        `There is no check "${name}". The checks are: ${all.map((candidate) => candidate.name).join(', ')}.`,
      );
      process.exit(1);
    }
    for (const need of check.needs ?? []) wanted.add(need);
  }
  return all.filter(({ name }) => wanted.has(name));
}

function report({ name, passed, failed, skipped, seconds }: Outcome): void {
  const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean);
  console.log(`${failed > 0 ? '✗' : '✓'} ${name.padEnd(18)} ${counts.join(', ')} (${seconds.toFixed(1)} s)`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
