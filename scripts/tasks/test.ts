/**
 * All checks: `npm test`. `npm test -- lint e2e#test` runs the named Turborepo tasks and the builds they need.
 * The last line is `N passed, N failed`, the sum over all suites. A check without tests counts as one.
 */
import { availableParallelism } from 'node:os';
import { findChromium } from '@early-access-kit/testkit/programs';
import { type Outcome, outcomesOfRun } from '../test/outcomes.ts';
import { runTurbo } from '../turbo.ts';

const CHECKS = [
  ...['build', 'build:emulator', 'storybook:static', 'lint', 'imports', 'unused', 'typecheck', 'typecheck:storybook'],
  ...['snippets', 'documents', 'package', 'size'],
];
const SUITES = [
  ...['test:unit', 'e2e#test', 'test:browser', 'test:stories', 'test:firestore', 'test:storybook', 'test:consumers'],
  ...['test:visual', 'test:lighthouse'],
];

const chromium = await findChromium();
const env = { ...chromium.env, CHROME_PATH: chromium.executablePath, CHROMIUM_KIND: chromium.kind, NO_COLOR: '1' };
const named = process.argv.slice(2);
const outcomes = new Map<string, Outcome>();
await run(named.length > 0 ? named.filter((task) => !isSuite(task)) : CHECKS, availableParallelism());
// A suite uses every core by itself.
await run(named.length > 0 ? named.filter(isSuite) : SUITES, 1);

const sum = (counted: 'passed' | 'failed' | 'skipped') =>
  [...outcomes.values()].reduce((total, outcome) => total + outcome[counted], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
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
