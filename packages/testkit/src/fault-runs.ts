import { randomInt } from 'node:crypto';
import { appendFileSync } from 'node:fs';

/** Set by `npm run task -- test:faults`. `npm test -- all` only runs a few rounds of each fault. */
export const LONG = process.env.FAULTS === 'long';

/** The number of rounds of a fault. */
export function rounds(counts: { readonly short: number; readonly long: number }): number {
  return LONG ? counts.long : counts.short;
}

/** Prints a figure and adds it to the final table of `npm run task -- test:faults`. */
export function report(name: string, figure: string | number): void {
  process.stdout.write(`${name}: ${figure}\n`);
  const { FAULTS_REPORT } = process.env;
  if (FAULTS_REPORT) appendFileSync(FAULTS_REPORT, `${JSON.stringify([name, figure])}\n`);
}

/** A seeded random generator. */
export interface Chance {
  /** An integer from 0 to `end` - 1. */
  below(end: number): number;
}

/** Returns a generator whose numbers only depend on the seed. */
export function seededChance(seed: number): Chance {
  let state = seed;
  return {
    below(end) {
      // mulberry32
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
    },
  };
}

/** Returns a test's random generator. It reports its seed; set `FAULT_SEED` to repeat it. */
export function createChance(name: string): Chance {
  const seed = Number(process.env.FAULT_SEED) || randomInt(1, 2 ** 31);
  report(`${name}: seed`, seed);
  return seededChance(seed);
}
