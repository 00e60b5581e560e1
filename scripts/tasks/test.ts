/**
 * `npm test` checks what a change needs, and its last lines list what it skips. `npm test -- all` runs everything, and
 * must pass before a change lands. `npm test -- lint e2e#test` runs the named Turborepo tasks and the builds they need.
 * Changing any file makes the suites of `npm test` run again. `--times` prints processor and wall time of everything.
 * `--repeat 20` runs the suites twenty times under load.
 *
 * The last lines list failures. The very last one is `N passed, N failed`, the sum over all suites. A check without
 * tests counts as one.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findFirestoreEmulator, firestoreSentence } from '@early-access-kit/testkit/firestore-emulator';
import { findChromiums, missingEngines, toVariables } from '@early-access-kit/testkit/programs';
import { REPORTS } from '@early-access-kit/testkit/report-file';
import { ROOT } from '../run.ts';
import { type Outcome, outcomesOfRun } from '../test/outcomes.ts';
import { failedNames, repeatUnderLoad } from '../test/repeat.ts';
import { formatTimes, MEASURED } from '../test/times.ts';
import { runTurbo } from '../turbo.ts';

const CHECKS = ['lint', 'imports', 'unused', 'typecheck', 'snippets', 'documents', 'size'];
/** Tests in Node without other programs, the main flows through the product in a browser, and each story once. */
const MAIN = ['test:main', 'test:flows', 'test:stories'];
/** The suites of `npm test -- all`, with the parts that `npm test` skips. */
const ALL: Readonly<Record<string, string>> = {
  'test:unit': 'Postgres, PGlite, Preact, bundles, commands, the goals of `npm run bench`, the simulator',
  'e2e#test': 'most end-to-end tests',
  'test:unit-firestore': 'Firestore',
  'test:firestore': 'Firebase end to end',
  'test:both-schemes': 'stories in the other color scheme',
  'test:browser': 'widgets in hostile pages',
  'test:engines': 'Firefox and WebKit',
  'faults#test': 'faults',
  'test:journey': 'visitors and admins on Postgres and on Firebase',
  'test:visual': 'pictures',
  package: 'packages',
  'test:consumers': 'projects that use the packages',
  'test:storybook': 'the built Storybook',
  'test:docs-site': 'the documentation site',
  'test:lighthouse': 'Lighthouse',
};
/** Started first, in this order, so that no core is idle while the last one runs. */
const LONGEST = [
  'test:main',
  'test:stories',
  'test:unit-firestore',
  'test:unit',
  'test:firestore',
  'e2e#test',
  'test:both-schemes',
];
/** Builds that only the last suites need. They run with the checks, parallel to the first suites. */
const LATE_BUILD = /docs-site#build$|:static$/;
const NEEDS_LATE_BUILD = /test:(docs-site|lighthouse|storybook|visual)$/;
/** Without this task, `--only` would ignore changes of the repository's files when reusing results. */
const REPOSITORY = '//#repository';
/** Lighthouse measures the page, so nothing else may run. */
const ALONE = 'test:lighthouse';
/** Tasks that cannot run without Google's emulator. */
const NEEDS_FIRESTORE = /firestore/;
/** Tasks that skip a part without it. */
const USES_FIRESTORE = /firestore|test:journey$/;

const { values: options, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'boolean', default: false }, repeat: { type: 'string', default: '0' } },
});
mkdirSync(REPORTS, { recursive: true });
const env = { ...toVariables(await findChromiums()), NO_COLOR: '1', ...(options.times && MEASURED) };
const selected = selectTasks();
const hasFirestore = typeof findFirestoreEmulator() !== 'string';
const tasks = selected.filter((task) => hasFirestore || !NEEDS_FIRESTORE.test(task));
// Restoring a cached build adds files to the folder but removes none.
if (tasks.includes('package'))
  for (const dist of globSync(path.join(ROOT, 'packages/*/dist'))) rmSync(dist, { recursive: true });
const outcomes = new Map<string, Outcome>();
const suites = tasks.filter(isSuite);
const cores = availableParallelism();
const others = checksAndBuilds();
const repeats = Number(options.repeat);
await run(others.filter(repeats > 0 ? isBuild : isEarlyBuild), `--concurrency=${cores}`);
if (isBuilt() && repeats > 0) {
  const failures = await repeatUnderLoad(repeats, async () => {
    const runs: Outcome[] = [];
    for (const suite of suites) runs.push(...(await run([suite], '--only', '--force')));
    return runs;
  });
  for (const [name, count] of failures) console.log(`${count} of ${repeats} failed: ${name}`);
  if (failures.size > 0) process.exit(1);
} else if (isBuilt()) {
  // Everything is built and may be in use by a suite, so Turborepo must not restore it again.
  const beside = ['--only', `--concurrency=${suites.length > 0 ? 1 : cores}`];
  const checks = others.filter((task) => !isBuild(task));
  const checked = run(checks, ...beside).then(() => run(others.filter(isLateBuild), ...beside));
  const longest = LONGEST.filter((task) => suites.includes(task));
  const waiting = [...longest, ...suites.filter((task) => task !== ALONE && !longest.includes(task))];
  const runWaiting = async () => {
    for (let suite = waiting.shift(); suite !== undefined; suite = waiting.shift()) {
      if (NEEDS_LATE_BUILD.test(suite)) await checked;
      if (isBuilt()) await run([suite], '--only');
    }
  };
  // Suites spend half of the time waiting for browsers and processes, so three in parallel use two cores well. Those of
  // `all` start more processes.
  const lanes = suites.length > MAIN.length ? 1 : 2;
  await Promise.all([...Array.from({ length: lanes }, runWaiting), checked.then(runWaiting)]);
  if (suites.includes(ALONE) && isBuilt()) await run([ALONE], '--only');
}

const sum = (counted: 'passed' | 'failed' | 'skipped') =>
  [...outcomes.values()].reduce((total, outcome) => total + outcome[counted], 0);
const [passed, failed, skipped] = [sum('passed'), sum('failed'), sum('skipped')];
const missing = tasks.includes('test:engines') ? missingEngines() : [];
if (missing.length > 0) console.log(`Not installed, so not tested: ${missing.join(', ')} (e2e/engines/README.md)`);
if (selected.some((task) => USES_FIRESTORE.test(task))) console.log(firestoreSentence());
if (options.times) console.log(formatTimes([...outcomes.values()]));
/** Lists failed checks and tests again, because the output of a long run hides them. */
for (const name of [...outcomes.values()].flatMap(failedNames)) console.log(`✗ ${name}`);
if (named.length === 0) console.log(`\nLeft to \`npm test -- all\`: ${Object.values(ALL).join(', ')}.`);
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function selectTasks(): readonly string[] {
  if (named.length === 0) return [...CHECKS, ...MAIN];
  return named.flatMap((task) => (task === 'all' ? [...CHECKS, 'build', 'build:demo', ...Object.keys(ALL)] : task));
}

function isEarlyBuild(task: string): boolean {
  return isBuild(task) && !isLateBuild(task);
}

function isLateBuild(task: string): boolean {
  return LATE_BUILD.test(task);
}

function isBuild(task: string): boolean {
  return /#build|:static$/.test(task);
}

/** Returns whether no build has failed. */
function isBuilt(): boolean {
  return [...outcomes.values()].every(({ name, failed }) => failed === 0 || !isBuild(name));
}

function isSuite(task: string): boolean {
  return /(^|#)test(:|$)/.test(task);
}

/** Returns the checks among the tasks, and the builds that tasks need. */
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

/** Runs tasks, prints the outcome of each, and returns all outcomes. */
async function run(named: readonly string[], ...more: readonly string[]): Promise<readonly Outcome[]> {
  if (named.length === 0) return [];
  const tasks = [...named, REPOSITORY];
  const flags = ['--summarize', '--continue=dependencies-successful', ...more];
  const code = await runTurbo([...tasks, ...flags], { env, output: 'stdout' });
  const ended = outcomesOfRun(tasks);
  if (code !== 0 && ended.every(({ failed }) => failed === 0)) process.exit(code);
  for (const outcome of ended) {
    const { name, passed, failed, skipped, seconds } = outcome;
    const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean);
    if (!outcomes.has(name)) console.log(`${failed > 0 ? '✗' : '✓'} ${name}  ${counts.join(', ')} (${seconds} s)`);
    outcomes.set(name, outcome);
  }
  return ended;
}
