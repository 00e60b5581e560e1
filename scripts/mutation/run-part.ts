import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { ROOT } from '../run.ts';
import { changedLines, type TestedMutant } from './mutant.ts';
import type { Part } from './parts.ts';

/** Stores results by part between runs, and HTML reports. */
const CACHE = 'node_modules/.cache/mutation';

/**
 * Maps Stryker's outcomes. A mutant that throws while modules load fails every test, but Stryker itself does not count
 * it.
 */
const OUTCOMES = {
  Killed: 'killed',
  Timeout: 'killed',
  RuntimeError: 'killed',
  Survived: 'survived',
  NoCoverage: 'survived',
  CompileError: 'invalid',
  Ignored: 'invalid',
  Pending: 'invalid',
} as const;

/** Mutates the sources of a part, one change at a time, and runs the tests that cover it. Reuses unchanged results. */
export async function runPart({ name, folder, sources, tests, tsconfig }: Part): Promise<TestedMutant[]> {
  process.env.MUTATION_TESTS = tests.join(' ');
  process.env.MUTATION_FOLDER = folder;
  const file = `${CACHE}/${name.replaceAll('/', '-')}`;
  forgetMissed(`${file}.json`);
  const results = await new Stryker({
    mutate: [...sources, '!**/*.test.ts'],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.ts', related: false, pool: 'threads' },
    checkers: ['compile'],
    tsconfigFile: tsconfig,
    plugins: [
      import.meta.resolve('@stryker-mutator/vitest-runner'),
      path.join(import.meta.dirname, 'compile-checker.ts'),
    ],
    coverageAnalysis: 'perTest',
    concurrency: Number(process.env.MUTATION_WORKERS ?? 1),
    incremental: true,
    incrementalFile: `${file}.json`,
    reporters: ['progress-append-only', 'html'],
    htmlReporter: { fileName: `${file}.html` },
    // Vitest runs setup files below node_modules only once, but Stryker's have to run before each test file.
    tempDirName: '.cache/mutation',
    ignorePatterns: ['dist', '.tools', '.cache', 'e2e', 'bench', 'docs-site', 'examples', 'storybook-static'],
    disableTypeChecks: false,
    dryRunTimeoutMinutes: 60,
    // Even on a busy machine, only an endless loop takes this long.
    timeoutMS: 20_000,
    timeoutFactor: 2,
  }).runMutationTest();
  // Lines and columns in reports start at one.
  const fromZero = ({ line, column }: { line: number; column: number }) => ({ line: line - 1, column: column - 1 });
  return results.map(({ fileName, location: { start, end }, replacement, status }) => {
    const lines = changedLines(
      readFileSync(fileName, 'utf8'),
      { start: fromZero(start), end: fromZero(end) },
      replacement,
    );
    return { file: path.relative(ROOT, fileName), ...lines, outcome: OUTCOMES[status] };
  });
}

/**
 * Removes undetected changes from the results of an earlier run, so that they are tried again. Stryker itself never
 * retries changes that take effect while modules load, even after tests have been added.
 */
function forgetMissed(file: string): void {
  if (!existsSync(file)) return;
  const found: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(readFileSync(file, 'utf8'));
  for (const source of Object.values(found.files)) {
    source.mutants = source.mutants.filter(({ status }) => status !== 'Survived' && status !== 'NoCoverage');
  }
  writeFileSync(file, JSON.stringify(found));
}
