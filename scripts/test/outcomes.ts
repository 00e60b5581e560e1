import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { REPORTS } from '@early-access-kit/testkit/report-file';
import { ROOT } from '../run.ts';

interface TestOutcome {
  /** The file and titles. */
  readonly name: string;
  readonly file: string;
  readonly seconds: number;
  readonly failed: boolean;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly tests: readonly TestOutcome[];
}

/** The fields used from Vitest's JSON report. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number | null;
    }[];
  }[];
}

/** The fields used from Playwright's JSON report. */
interface PlaywrightReport {
  readonly stats: {
    readonly expected: number;
    readonly unexpected: number;
    readonly flaky: number;
    readonly skipped: number;
  };
  readonly suites: readonly PlaywrightSuite[];
}

interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results: readonly { readonly duration: number }[];
    }[];
  }[];
}

/** The result of one Turborepo task. */
export interface Outcome extends Counts {
  readonly name: string;
  readonly seconds: number;
  /** Processor time in seconds, which only `npm test -- --times` measures. */
  readonly cpu: number | undefined;
  /** The processor time of test files, without their programs and browsers. */
  readonly cpuByFile: ReadonlyMap<string, number>;
}

/** The fields used from the file that `turbo run --summarize` writes. */
interface Summary {
  readonly execution: { readonly command: string };
  readonly tasks: readonly {
    readonly taskId: string;
    readonly hash: string;
    readonly command: string;
    /** Missing if the task did not run because a dependency failed. */
    readonly execution?: { readonly startTime: number; readonly endTime: number; readonly exitCode: number | null };
  }[];
}

/** Returns the outcomes of `turbo run --summarize <tasks>` and removes its summary. Other runs may be in progress. */
export function outcomesOfRun(tasks: readonly string[]): Outcome[] {
  const command = `turbo run ${tasks.join(' ')} --continue=`;
  // File names sort by time.
  const files = globSync(path.join(ROOT, '.turbo/runs/*.json')).sort();
  const file = files.findLast((candidate) => read(candidate).execution.command.startsWith(command));
  if (file === undefined) return [];
  const summary = read(file);
  rmSync(file);
  return summary.tasks
    .filter(({ command }) => command !== '<NONEXISTENT>')
    .map(({ taskId, hash, execution }) => ({
      name: taskId,
      seconds: execution ? Math.round((execution.endTime - execution.startTime) / 1_000) : 0,
      cpu: readCpu(path.join(REPORTS, `${hash}.cpu`)),
      cpuByFile: readCpuByFile(path.join(REPORTS, `${hash}.jsonl`)),
      ...countTests(path.join(REPORTS, `${hash}.json`), execution?.exitCode === 0),
    }));
}

function read(file: string): Summary {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Adds up the minutes and seconds in the output of the shell's `times`, such as `1m2.34s 0m5.6s`. */
function readCpu(file: string): number | undefined {
  const seconds = [...take(file).matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => Number(m) * 60 + Number(s));
  return seconds.length === 0 ? undefined : seconds.reduce((sum, next) => sum + next);
}

/** Reads the output of the testkit's `cpu-time.ts`. */
function readCpuByFile(file: string): Map<string, number> {
  const lines = take(file).split('\n').filter(Boolean);
  const parsed = lines.map((line): { file: string; seconds: number } => JSON.parse(line));
  return new Map(parsed.map(({ file, seconds }) => [path.relative(ROOT, file), seconds]));
}

/** Reads a file and removes it. A missing file is empty. */
function take(file: string): string {
  const text = readIfExists(file);
  rmSync(file, { force: true });
  return text;
}

function readIfExists(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * A check without a report counts as one test. A suite can also fail without a failing test, for example after an
 * unhandled rejection. The report is not removed, because a suite that passed only runs again after a change.
 */
function countTests(report: string, succeeded: boolean): Counts {
  const json = readIfExists(report);
  const counts = json === '' ? undefined : parseCounts(json);
  if (!counts) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0, tests: [] };
  return !succeeded && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Returns the counts of Vitest's or Playwright's JSON report. A flaky test, which only passed on retry, has failed. */
function parseCounts(json: string): Counts {
  const report: VitestReport | PlaywrightReport = JSON.parse(json);
  if ('stats' in report) {
    const { expected, unexpected, flaky, skipped } = report.stats;
    const tests = report.suites.flatMap((suite) => playwrightTests(suite, suite.title));
    return { passed: expected, failed: unexpected + flaky, skipped, tests };
  }
  const tests = report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status, duration }) => ({
      name: `${path.relative(ROOT, file)} › ${fullName}`,
      file: path.relative(ROOT, file),
      seconds: (duration ?? 0) / 1_000,
      failed: status === 'failed',
    })),
  );
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = report;
  return { passed, failed, skipped, tests };
}

function playwrightTests({ title, suites = [], specs }: PlaywrightSuite, file: string): TestOutcome[] {
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, results }) => ({
      name: spec.title,
      file,
      seconds: results.reduce((total, { duration }) => total + duration, 0) / 1_000,
      failed: status === 'unexpected' || status === 'flaky',
    })),
  );
  const tests = [...own, ...suites.flatMap((suite) => playwrightTests(suite, file))];
  return tests.map((test) => ({ ...test, name: `${title} › ${test.name}` }));
}
