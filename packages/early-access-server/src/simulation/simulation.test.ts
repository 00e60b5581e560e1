import { expect, it } from 'vitest';
import { simulate } from './history.ts';

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

it.each(SEEDS)('no random history breaks a promise (seed %i)', { timeout: 60_000 }, async (seed) => {
  await expect(simulate(seed)).resolves.toBeUndefined();
});
