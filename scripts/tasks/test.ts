/**
 * All checks: `npm test`. `npm test -- lint e2e#test` runs the named Turborepo tasks and the builds they need.
 * The last line is `N passed, N failed`, the sum over all suites. A check without tests counts as one.
 */
import { globSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { findChromiums, variablesOf } from '@early-access-kit/testkit/programs';
import { missingBrowsers } from '../../e2e/engines/support/browsers.ts';
import { ROOT } from '../run.ts';
import { type Outcome, outcomesOfRun } from '../test/outcomes.ts';
import { runTurbo } from '../turbo.ts';

const TASKS = [
  ...['build', 'build:emulator', 'storybook:static', 'lint', 'imports', 'unused', 'typecheck', 'typecheck:storybook'],
  ...['snippets', 'documents', 'package', 'size'],
  ...['test:unit', 'e2e#test', 'test:browser', 'test:stories', 'test:firestore', 'test:storybook', 'test:consumers'],
  ...['test:engines', 'test:visual', 'test:lighthouse'],
];
/** Lighthouse measures the page, so nothing else may run. */
const ALONE = ['test:lighthouse'];
/** Suites wait for browsers and processes half of the time, so two in parallel use the cores well. */
const SUITES_AT_A_TIME = 2;

const env = { ...variablesOf(await findChromiums()), NO_COLOR: '1' };
const named = process.argv.slice(2);
const tasks = named.length > 0 ? named : TASKS;
// Restoring a cached build adds files to the folder but removes none.
if (named.length === 0)
  for (const dist of globSync(path.join(ROOT, 'packages/*/dist'))) rmSync(dist, { recursive: true });
const outcomes = new Map<string, Outcome>();
const phases = [
  { concurrency: availableParallelism(), belongs: (task: string) => !isSuite(task) },
  { concurrency: SUITES_AT_A_TIME, belongs: (task: string) => isSuite(task) && !ALONE.includes(task) },
  { concurrency: 1, belongs: (task: string) => ALONE.includes(task) },
];
for (const { concurrency, belongs } of phases) await run(tasks.filter(belongs), concurrency);

const sum = (counted: 'passed' | 'failed' | 'skipped') =>
  [...outcomes.values()].reduce((total, outcome) => total + outcome[counted], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
const missing = tasks.includes('test:engines') ? missingBrowsers() : [];
if (missing.length > 0) console.log(`Not installed, so not tested: ${missing.join(', ')} (npm run test:engines)`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function isSuite(task: string): boolean {
  return /(^|#)test(:|$)/.test(task);
}

async function run(tasks: readonly string[], concurrency: number): Promise<void> {
  if (tasks.length === 0) return;
  const options = ['--summarize', '--continue=dependencies-successful', `--concurrency=${concurrency}`];
  const code = await runTurbo([...tasks, ...options], { env, output: 'stdout' });
  const ended = outcomesOfRun(tasks);
  if (code !== 0 && ended.every(({ failed }) => failed === 0)) process.exit(code);
  for (const outcome of ended) {
    const { name, passed, failed, skipped, seconds } = outcome;
    const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean);
    if (!outcomes.has(name)) console.log(`${failed > 0 ? '✗' : '✓'} ${name}  ${counts.join(', ')} (${seconds} s)`);
    outcomes.set(name, outcome);
  }
}
