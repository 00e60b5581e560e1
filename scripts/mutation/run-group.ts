import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { ROOT } from '../run.ts';
import type { Group, Part } from './groups.ts';
import { changedLines, type TestedMutant } from './mutant.ts';
import { computeScore, countOutcomes } from './results.ts';

/** Stores results by group between runs, and HTML reports. */
const CACHE = 'node_modules/.cache/mutation';

/** All tests of a group take minutes, so they only run for parts whose own tests notice a smaller share. */
const ENOUGH = 0.95;

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

/**
 * Mutates the sources of parts of a group, one change at a time, and runs the tests that cover it: first those in the
 * parts' folders, then all of the group for what these miss in parts without enough. Reuses unchanged results.
 */
export async function runGroup(group: Group, parts: readonly Part[]): Promise<ReadonlyMap<Part, TestedMutant[]>> {
  const ownTests = globSync(
    parts.map(({ folder }) => `${folder}/*.test.ts`),
    { cwd: ROOT },
  );
  const results = new Map<Part, TestedMutant[]>();
  for (const tests of [ownTests, group.tests]) {
    const missing = parts.filter((part) => !isEnough(results.get(part)));
    if (missing.length === 0 || tests.length === 0) continue;
    const tested = await mutate(group, missing, tests);
    for (const part of missing) {
      results.set(
        part,
        tested.filter(({ file }) => path.dirname(file) === part.folder),
      );
    }
  }
  return results;
}

function isEnough(tested: readonly TestedMutant[] | undefined): boolean {
  return tested !== undefined && computeScore(countOutcomes(tested)) >= ENOUGH;
}

async function mutate(
  { name, tsconfig }: Group,
  parts: readonly Part[],
  tests: readonly string[],
): Promise<TestedMutant[]> {
  process.env.MUTATION_TESTS = tests.join(' ');
  process.env.MUTATION_FOLDERS = parts.map(({ folder }) => folder).join(' ');
  const file = `${CACHE}/${name.replaceAll('/', '-')}`;
  forgetMissed(`${file}.json`);
  const results = await new Stryker({
    mutate: [
      ...parts.map(({ folder }) => `${folder}/*.ts`),
      // The checkpoint thread has its own modules, in which Stryker cannot activate a change.
      '!**/{checkpoint-thread,*.test,*.fixture}.ts',
    ],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.ts', related: false, pool: 'forks' },
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
