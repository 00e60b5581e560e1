import type { History, Outcome, Step } from './history.ts';

/** Maximum number of runs to shorten a history. */
const MOST_RUNS = 400;

/**
 * Removes steps of a broken history as long as it still breaks the same promise. `keeps` returns the outcome of a
 * history. Each step has its own seed, so removing steps does not change the others.
 */
export async function shrink(
  history: History,
  broken: string,
  run: (history: History) => Promise<Outcome>,
): Promise<History> {
  let steps = history.steps;
  let runs = 0;

  async function breaks(fewer: readonly Step[]): Promise<boolean> {
    runs += 1;
    return runs <= MOST_RUNS && (await run({ ...history, steps: fewer })).broken === broken;
  }

  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length; ) {
      const fewer = steps.filter((_, index) => index < from || index >= from + size);
      if (await breaks(fewer)) steps = fewer;
      else from += size;
    }
  }
  return { ...history, steps };
}
