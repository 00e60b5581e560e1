import path from 'node:path';
import { LIMIT_MS } from '@early-access-kit/testkit/hanging';
import { tempRoot } from '@early-access-kit/testkit/temp-root';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createConstants } from './site/build/storage.ts';

/** How `npm run task -- test:mutation` runs tests, many thousand times. Globs, separated by spaces. */
const { MUTATION_TESTS = '', MUTATION_SETUP } = process.env;

/**
 * Runs test files first that are likely to notice a mutant, because the run ends with the first test that does: those
 * that noticed the one before, then those beside the mutated source, then short ones. Vitest itself begins with the
 * longest.
 */
class LikelyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { MUTATION_FOLDERS = '' } = process.env;
    const folders = MUTATION_FOLDERS.split(' ');
    const cost = (file: TestSpecification) => {
      const { failed = false, duration = 0 } = this.ctx.cache.getTestSpecificationResult(file) ?? {};
      const isNear = folders.some((folder) => file.moduleId.includes(`/${folder}/`));
      return { group: failed ? 0 : isNear ? 1 : 2, duration, name: path.basename(file.moduleId) };
    };
    return files
      .map((file) => ({ file, ...cost(file) }))
      .toSorted((a, b) => a.group - b.group || a.duration - b.duration || (a.name < b.name ? -1 : 1))
      .map(({ file }) => file);
  }
}

export default defineConfig({
  define: createConstants({ kind: 'http' }),
  test: {
    include: MUTATION_TESTS.split(' '),
    exclude: [
      '**/node_modules/**',
      // The time that something takes would fail by chance.
      '**/hostile-input.test.ts',
      // A million sessions, for what reading them costs.
      '**/firestore/analytics/read-cost.test.ts',
    ],
    ...(/early-access-firebase/.test(MUTATION_TESTS) && { globalSetup: 'packages/testkit/src/firestore-setup.ts' }),
    setupFiles: ['packages/testkit/src/few-fixed-examples.ts', ...(MUTATION_SETUP ? [MUTATION_SETUP] : [])],
    isolate: false,
    sequence: { sequencer: LikelyFirst },
    // No test takes so long, even on a busy machine. Stryker itself waits for several times what all tests take
    // together.
    testTimeout: LIMIT_MS,
    hookTimeout: LIMIT_MS,
    env: { METADATA_SERVER_DETECTION: 'none', TMPDIR: tempRoot() },
  },
});
