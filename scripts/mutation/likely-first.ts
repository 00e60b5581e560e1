import path from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * Runs test files first that are likely to notice a mutant, because the run ends with the first test that does: files that noticed the one
 * before, then files beside the mutated source, then short ones. Vitest itself begins with the longest.
 */
export class LikelyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { MUTATION_FOLDER = '' } = process.env;
    const cost = (file: TestSpecification) => {
      const { failed = false, duration = 0 } = this.ctx.cache.getTestSpecificationResult(file) ?? {};
      const isNear = file.moduleId.includes(`/${MUTATION_FOLDER}/`);
      return { group: failed ? 0 : isNear ? 1 : 2, duration, name: path.basename(file.moduleId) };
    };
    return files
      .map((file) => ({ file, ...cost(file) }))
      .toSorted((a, b) => a.group - b.group || a.duration - b.duration || (a.name < b.name ? -1 : 1))
      .map(({ file }) => file);
  }
}
