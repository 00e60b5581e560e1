/**
 * Every change needs `npm test`. `npm test -- all` adds the checks that take longer, and has to pass before a change lands.
 * `npm test -- lint e2e#test` runs the named Turborepo tasks and the builds they need. `--slowest` lists the slowest twenty tests.
 * The last lines name what failed. The very last is `N passed, N failed`, the sum over all suites. A check without tests counts as one.
 */
import { spawnSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { firestoreSentence } from '@early-access-kit/testkit/firestore-emulator';
import { findChromiums, missingEngines, toVariables } from '@early-access-kit/testkit/programs';
import { ROOT } from '../run.ts';
import { type Outcome, outcomesOfRun } from '../test/outcomes.ts';
import { runTurbo } from '../turbo.ts';

const CHECKS = ['lint', 'imports', 'unused', 'typecheck', 'typecheck:storybook', 'snippets', 'documents', 'size'];
const SUITES = ['test:unit', 'e2e#test', 'test:stories', 'test:browser', 'test:engines'];
/** Firestore, one way through Postgres, a few rounds of each fault, and what was built where people meet it: packages, pictures, Storybook, documentation. */
const REST = [
  ...['build', 'build:demo', 'package', 'test:firestore', 'test:unit-firestore', 'test:visual', 'test:consumers'],
  ...['test:storybook', 'faults#test', 'test:journey', 'test:docs-site', 'test:lighthouse'],
];
/** They begin before all others, in this order, so that none runs when the others have ended and a core is idle. */
const LONGEST = ['test:unit', 'test:firestore', 'e2e#test', 'test:unit-firestore', 'test:stories'];
/** Builds of which only the last suites need something. They run with the checks, beside the first suites. */
const LATE_BUILD = /docs-site#build$|:static$/;
const NEEDS_LATE_BUILD = /test:(docs-site|lighthouse|storybook|visual)$/;
/** Lighthouse measures the page, so nothing else may run. */
const ALONE = 'test:lighthouse';
const ON_FIRESTORE = /firestore|test:browser/;

const env = { ...toVariables(await findChromiums()), NO_COLOR: '1' };
const SLOWEST = '--slowest';
const tasks = selectTasks(process.argv.slice(2).filter((argument) => argument !== SLOWEST));
// Restoring a cached build adds files to the folder but removes none.
if (tasks.includes('package'))
  for (const dist of globSync(path.join(ROOT, 'packages/*/dist'))) rmSync(dist, { recursive: true });
const outcomes = new Map<string, Outcome>();
const suites = tasks.filter(isSuite);
const cores = availableParallelism();
const others = checksAndBuilds();
await run(others.filter(isEarlyBuild), `--concurrency=${cores}`);
if (isBuilt()) {
  // Everything that they need is built, and a suite may be using it, so Turborepo must not restore it once more.
  const checked = run(
    others.filter((task) => !isEarlyBuild(task)),
    '--only',
    `--concurrency=${suites.length > 0 ? 1 : cores}`,
  );
  const longest = LONGEST.filter((task) => suites.includes(task));
  const waiting = [...longest, ...suites.filter((task) => task !== ALONE && !longest.includes(task))];
  const runWaiting = async () => {
    for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
      if (NEEDS_LATE_BUILD.test(suite)) await checked;
      if (isBuilt()) await run([suite], '--only');
    }
  };
  // Suites wait for browsers and processes half of the time, so two in parallel use the cores well.
  await Promise.all([runWaiting(), checked.then(runWaiting)]);
  if (suites.includes(ALONE) && isBuilt()) await run([ALONE], '--only');
}

const sum = (counted: 'passed' | 'failed' | 'skipped') =>
  [...outcomes.values()].reduce((total, outcome) => total + outcome[counted], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
const missing = tasks.includes('test:engines') ? missingEngines() : [];
if (missing.length > 0) console.log(`Not installed, so not tested: ${missing.join(', ')} (e2e/engines/README.md)`);
if (tasks.some((task) => ON_FIRESTORE.test(task))) console.log(firestoreSentence());
if (process.argv.includes(SLOWEST)) printSlowest(20);
printFailed();
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

/** Names each failed check and test once more, because the output of a long run hides them. */
function printFailed(): void {
  for (const { name: task, failed, tests } of outcomes.values()) {
    const names = tests.filter((test) => test.failed).map(({ name }) => `✗ ${task}: ${name}`);
    if (failed > 0) console.log(names.length > 0 ? names.join('\n') : `✗ ${task}`);
  }
}

function printSlowest(count: number): void {
  const tests = [...outcomes.values()].flatMap(({ name: task, tests }) => tests.map((test) => ({ task, ...test })));
  const slowest = tests.sort((one, other) => other.seconds - one.seconds).slice(0, count);
  for (const { task, name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(6)} s  ${task}: ${name}`);
}

function selectTasks(named: readonly string[]): readonly string[] {
  if (named.length === 0) return [...CHECKS, ...SUITES];
  return named.flatMap((task) => (task === 'all' ? [...CHECKS, ...SUITES, ...REST] : task));
}

function isEarlyBuild(task: string): boolean {
  return isBuild(task) && !LATE_BUILD.test(task);
}

function isBuild(task: string): boolean {
  return /#build|:static$/.test(task);
}

/** Whether no build has failed. */
function isBuilt(): boolean {
  return [...outcomes.values()].every(({ name, failed }) => failed === 0 || !isBuild(name));
}

function isSuite(task: string): boolean {
  return /(^|#)test(:|$)/.test(task);
}

/** The checks among the tasks, and the builds that all of them need. */
function checksAndBuilds(): string[] {
  const { status, stdout } = spawnSync('turbo', ['run', ...tasks, '--dry=json'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) process.exit(status ?? 1);
  const plan: { tasks: { taskId: string; command: string }[] } = JSON.parse(stdout);
  return plan.tasks
    .filter(({ taskId, command }) => !isSuite(taskId) && command !== '<NONEXISTENT>')
    .map(({ taskId }) => taskId);
}

async function run(tasks: readonly string[], ...more: readonly string[]): Promise<void> {
  if (tasks.length === 0) return;
  const options = ['--summarize', '--continue=dependencies-successful', ...more];
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
