/** One line of the table: what we measured, beside what one would use instead or the limit, and what it should be. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  /** Null without a comparison. */
  readonly theirs: number | null;
  /** `ours / theirs`. */
  readonly ratio: number | null;
  /** Null if the row is for reference only. */
  readonly goal: string | null;
  readonly met: boolean | null;
  /** What `theirs` is. */
  readonly against?: string;
  /** Of the samples that `ours` is the median of. */
  readonly spread?: Spread;
  readonly note?: string;
}

interface Spread {
  readonly min: number;
  readonly max: number;
  readonly samples: number;
}

export interface Goal {
  readonly text: string;
  holds(measured: { readonly ours: number; readonly ratio: number | null }): boolean;
}

export const atMost = (limit: number): Goal => ({ text: `≤ ${limit}`, holds: ({ ours }) => ours <= limit });

export const atLeast = (limit: number): Goal => ({ text: `≥ ${limit}`, holds: ({ ours }) => ours >= limit });

/** Holds for a ratio of at least so much. */
export const atLeastTimes = (factor: number): Goal => ({
  text: `≥ ${factor}×`,
  holds: ({ ratio }) => ratio !== null && ratio >= factor,
});

type Measured = Pick<Row, 'name' | 'unit' | 'against' | 'note'> & {
  /** A number, or samples whose median counts. */
  readonly ours: number | readonly number[];
  readonly theirs?: number | readonly number[];
  readonly goal?: Goal;
};

export function row({ ours: measured, theirs: beside, goal, ...rest }: Measured): Row {
  const ours = rounded(center(measured));
  const theirs = beside === undefined ? null : rounded(center(beside));
  const ratio = theirs === null || theirs === 0 ? null : rounded(ours / theirs);
  return {
    ...rest,
    ours,
    theirs,
    ratio,
    goal: goal?.text ?? null,
    met: goal?.holds({ ours, ratio }) ?? null,
    ...(typeof measured !== 'number' && { spread: spreadOf(measured) }),
  };
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 50);
}

/** Nearest rank. Throws without samples. */
export function percentile(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('nothing was measured');
  return value;
}

function center(measured: number | readonly number[]): number {
  return typeof measured === 'number' ? measured : median(measured);
}

function spreadOf(samples: readonly number[]): Spread {
  return { min: rounded(Math.min(...samples)), max: rounded(Math.max(...samples)), samples: samples.length };
}

/** Four digits tell more than any of these measurements, but bytes and billed reads are counted. */
function rounded(value: number): number {
  return Math.abs(value) >= 1_000 ? Math.round(value) : Number(value.toPrecision(4));
}
