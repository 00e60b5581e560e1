import { randomInt } from 'node:crypto';
import { report } from './report.ts';

/** A source of chance that can be started again. */
export interface Chance {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
}

/** Chance of a test's own. What it is started with is reported; `FAULT_SEED` starts it with the same again. */
export function chanceOf(name: string): Chance {
  const seed = Number(process.env.FAULT_SEED) || randomInt(1, 2 ** 31);
  report(`${name}: seed`, seed);
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
