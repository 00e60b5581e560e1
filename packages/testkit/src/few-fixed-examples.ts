import type { IRawProperty, Parameters } from 'fast-check';
import { vi } from 'vitest';

const MAX_RUNS = Number(process.env.MUTATION_EXAMPLES ?? 50);

/**
 * A setup file of `npm run task -- test:mutation`: uses few generated examples, the same in each run, so that runs are
 * comparable.
 */
vi.mock('fast-check', async (importOriginal) => {
  const original = await importOriginal<typeof import('fast-check')>();
  const assert = <Ts>(property: IRawProperty<Ts>, parameters: Parameters<Ts> = {}) =>
    original.assert(property, {
      ...parameters,
      seed: 1,
      numRuns: Math.min(parameters.numRuns ?? MAX_RUNS, MAX_RUNS),
    });
  return { ...original, assert, default: { ...original.default, assert } };
});
