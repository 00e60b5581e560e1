import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { ROOT } from '../run.ts';
import { changedLines, type TestedMutant } from './mutant.ts';
import type { Part } from './parts.ts';

/** Between runs: what was found, by part, and pages to look at. */
const CACHE = 'node_modules/.cache/mutation';

/**
 * The outcomes by Stryker's names. A mutant that fails while modules load fails every test, though Stryker itself does
 * not count it.
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

/**
 * Mutates the sources of a part, one change at a time, and runs the tests that reach it. Reuses results of what has not
 * changed.
 */
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
    // Vitest runs setup files below node_modules once, but Stryker's have to run before each test file.
    tempDirName: '.cache/mutation',
    ignorePatterns: ['dist', '.tools', '.cache', 'e2e', 'bench', 'docs-site', 'examples', 'storybook-static'],
    disableTypeChecks: false,
    dryRunTimeoutMinutes: 60,
    // Only an endless loop takes so much longer, even on a busy machine.
    timeoutMS: 20_000,
    timeoutFactor: 2,
  }).runMutationTest();
  // Reports count lines and columns from one.
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
 * Removes changes that were missed from what an earlier run found, so that they are tried again. Stryker itself never
 * tries one again that takes effect while modules load, even if tests have been added.
 */
function forgetMissed(file: string): void {
  if (!existsSync(file)) return;
  const found: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(readFileSync(file, 'utf8'));
  for (const source of Object.values(found.files)) {
    source.mutants = source.mutants.filter(({ status }) => status !== 'Survived' && status !== 'NoCoverage');
  }
  writeFileSync(file, JSON.stringify(found));
}
