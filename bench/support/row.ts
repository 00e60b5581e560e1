/** One row of the table: our measurement, the alternative or the limit, and the goal. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  /** The median, like `theirs`. */
  readonly ours: number;
  /** Null without a comparison. */
  readonly theirs: number | null;
  /**
   * The median of the rounds' ratios; without rounds, `ours / theirs`. 1 if both are zero; null if only `theirs` is.
   */
  readonly ratio: number | null;
  /** Null if the row is for reference only. */
  readonly goal: string | null;
  /** Null without a goal, and if the machine was too busy to judge. */
  readonly met: boolean | null;
  /** The name of `theirs`. */
  readonly against?: string;
  /** The spread of the rounds' ratios. */
  readonly ratios?: Spread;
  /** The spread of the samples whose median is `ours`, if they were not compared in rounds. */
  readonly spread?: Spread;
  /** Runs that failed and were repeated. */
  readonly repeated?: { readonly runs: number; readonly of: number };
  /** The share of the processors that others used, if it was above `BUSY_LIMIT`. */
  readonly busy?: number;
  readonly note?: string;
}

interface Spread {
  readonly min: number;
  readonly max: number;
  readonly samples: number;
}

/** The values that a goal judges. Without a comparison, `ratio` and `more` are NaN, so no goal for them is met. */
interface Judged {
  readonly ours: number;
  readonly ratio: number;
  /** `ours - theirs`. */
  readonly more: number;
}

export interface Goal {
  readonly text: string;
  holds(measured: Judged): boolean;
}

/** A goal for counts. Times depend on the machine, so they are compared instead. */
export const atMost = (limit: number): Goal => ({ text: `≤ ${limit}`, holds: ({ ours }) => ours <= limit });

export const atLeast = (limit: number): Goal => ({ text: `≥ ${limit}`, holds: ({ ours }) => ours >= limit });

/** Met by a ratio of at least `factor`. */
export const atLeastTimes = (factor: number): Goal => ({
  text: `≥ ${factor}×`,
  holds: ({ ratio }) => ratio >= factor,
});

export const atMostTimes = (factor: number): Goal => ({
  text: `≤ ${factor}×`,
  holds: ({ ratio }) => ratio <= factor,
});

/** Met if ours exceeds theirs by at most `limit`. */
export const atMostMore = (limit: number, unit: string): Goal => ({
  text: `≤ ${limit} ${unit} more`,
  holds: ({ more }) => more <= limit,
});

export type Measured = Pick<Row, 'name' | 'unit' | 'against' | 'note'> & {
  /** A number, or samples whose median counts. */
  readonly ours: number | readonly number[];
  readonly theirs?: number | readonly number[];
  readonly goal?: Goal;
};

/** Returns a row of counts or single measurements. `inRounds`: compares measurements round by round. */
export function row({ ours: measured, theirs: beside, goal, ...rest }: Measured, inRounds = false): Row {
  const ours = toSamples(measured);
  const theirs = beside === undefined ? undefined : toSamples(beside);
  const pairs =
    theirs === undefined ? [] : inRounds ? pairRounds(ours, theirs) : [[median(ours), median(theirs)] as const];
  const ratios = pairs.map(([value, other]) => (value === other ? 1 : value / other));
  const judged = {
    ours: median(ours),
    ratio: pairs.length === 0 ? Number.NaN : median(ratios),
    more: pairs.length === 0 ? Number.NaN : median(pairs.map(([value, other]) => value - other)),
  };
  const hasRatio = pairs.length > 0 && ratios.every(Number.isFinite);
  return {
    ...rest,
    ours: rounded(judged.ours),
    theirs: theirs === undefined ? null : rounded(median(theirs)),
    ratio: hasRatio ? rounded(judged.ratio) : null,
    goal: goal?.text ?? null,
    met: goal?.holds(judged) ?? null,
    ...(inRounds && hasRatio
      ? { ratios: computeSpread(ratios) }
      : typeof measured !== 'number' && { spread: computeSpread(measured) }),
  };
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 50);
}

/** The nearest-rank percentile. Throws if there are no samples, or if one is not a number. */
export function percentile(samples: readonly number[], percent: number): number {
  if (samples.some(Number.isNaN)) throw new Error('what was measured is not a number');
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

function toSamples(measured: number | readonly number[]): readonly number[] {
  return typeof measured === 'number' ? [measured] : measured;
}

function pairRounds(ours: readonly number[], theirs: readonly number[]): (readonly [number, number])[] {
  return ours.map((value, round) => [value, theirs[round] ?? Number.NaN]);
}

function computeSpread(samples: readonly number[]): Spread {
  return { min: rounded(Math.min(...samples)), max: rounded(Math.max(...samples)), samples: samples.length };
}

/** Four digits are more than these measurements are worth, but bytes and billed reads are exact. */
function rounded(value: number): number {
  if (!Number.isFinite(value)) throw new Error('what was measured is not a number');
  return Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(4));
}
