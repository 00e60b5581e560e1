import type { IRawProperty, Parameters } from 'fast-check';
import { vi } from 'vitest';

const MAX_RUNS = Number(process.env.MUTATION_EXAMPLES ?? 50);

/**
 * A setup file of `npm run task -- test:mutation`: generated examples are few, and the same in each run, so that all
 * runs find the same.
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
