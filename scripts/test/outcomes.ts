import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { REPORTS } from '@early-access-kit/testkit/report-file';
import { ROOT } from '../run.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The result of one Turborepo task. */
export interface Outcome extends Counts {
  readonly name: string;
  readonly seconds: number;
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

/** The outcomes of `turbo run --summarize <tasks>`, whose summary it removes. Other runs may be in progress. */
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
      ...countTests(path.join(REPORTS, `${hash}.json`), execution?.exitCode === 0),
    }));
}

function read(file: string): Summary {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A check without a report counts as one test. A suite can also fail without a failing test, for example after an unhandled rejection. */
function countTests(report: string, succeeded: boolean): Counts {
  const counts = existsSync(report) ? parseCounts(readFileSync(report, 'utf8')) : undefined;
  rmSync(report, { force: true });
  if (!counts) return { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
  return !succeeded && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/** Counts of Vitest's or Playwright's JSON report. A flaky test, which passed only when retried, has failed. */
function parseCounts(json: string): Counts {
  const report:
    | { numPassedTests: number; numFailedTests: number; numPendingTests: number }
    | { stats: { expected: number; unexpected: number; flaky: number; skipped: number } } = JSON.parse(json);
  if ('stats' in report) {
    const { expected, unexpected, flaky, skipped } = report.stats;
    return { passed: expected, failed: unexpected + flaky, skipped };
  }
  return { passed: report.numPassedTests, failed: report.numFailedTests, skipped: report.numPendingTests };
}
