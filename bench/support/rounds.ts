import type { QuestionOptions } from './question.ts';
import { BUSY_LIMIT, busyShare } from './quiet.ts';
import { type Measured, type Row, row } from './row.ts';

/**
 * Compares times on a machine with other load: ours and the others take turns within each round, and a row is the
 * median of the rounds' ratios. The names of the others are printed as given.
 *
 * ```ts
 * const rounds = await alternate(
 *   { ours: () => measurePage(ours), 'rendered in the browser': () => measurePage(usual) },
 *   { rounds: quick ? 1 : 5, tell },
 * );
 * rounds.row({
 *   name: 'largest contentful paint',
 *   unit: 'ms',
 *   of: ({ lcpMs }) => lcpMs,
 *   beside: 'rendered in the browser',
 *   goal: atMostTimes(0.7), // or atLeastTimes(5), or atMostMore(16, 'ms') for the median of the rounds' differences
 * });
 * rounds.row({ name: 'layout shift', unit: '', of: ({ cls }) => cls, goal: atMost(0) }); // without a comparison
 * rounds.all('ours'); // every run of ours, for a note
 * ```
 *
 * The order alternates between rounds. A run that throws, or measures a value that is not a finite number, is repeated
 * and counted in the row. The processor use of other programs is measured before each round; above `BUSY_LIMIT` the row
 * says "busy" instead of whether its goal is met.
 */
export async function alternate<T extends object | number, Name extends string>(
  runs: { readonly ours: Run<T> } & Readonly<Record<Name, Run<T>>>,
  { rounds: count, tell, share = busyShare }: Options,
): Promise<Rounds<T, Name>> {
  const names = Object.keys(runs).filter((name): name is Name => name in runs);
  const results = new Map<string, T[]>(names.map((name) => [name, []]));
  const failures = new Map<string, number>();
  const shares: number[] = [];
  for (let round = 0; round < count; round += 1) {
    shares.push(await share());
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      tell(`${name}, round ${round + 1} of ${count}`);
      const { result, failed } = await untilItSucceeds(() => runs[name](round), name, tell);
      results.get(name)?.push(result);
      failures.set(name, (failures.get(name) ?? 0) + failed);
    }
  }
  const busiest = Math.max(...shares);
  const all = (name: string) => results.get(name) ?? [];
  return {
    all,
    row({ of, beside, ...rest }) {
      const samples = (name: string) => all(name).map(of);
      const named = beside === undefined ? ['ours'] : ['ours', beside];
      const repeated = named.reduce((sum, name) => sum + (failures.get(name) ?? 0), 0);
      const compared = beside !== undefined && { theirs: samples(beside), against: beside };
      return {
        ...withShare(row({ ...rest, ours: samples('ours'), ...compared }, true), busiest),
        ...(repeated > 0 && { repeated: { runs: repeated, of: count * named.length } }),
      };
    },
  };
}

export interface Rounds<T, Name extends string> {
  /** Returns the runs of one of them, in order. */
  all(name: Name | 'ours'): readonly T[];
  row(asked: Asked<T, Name>): Row;
}

/** One measurement. A repeated run has the same round number. */
type Run<T> = (round: number) => Promise<T>;

interface Asked<T, Name extends string> extends Pick<Measured, 'name' | 'unit' | 'note' | 'goal'> {
  of(result: T): number;
  /** Which of the others to compare with. */
  readonly beside?: Exclude<Name, 'ours'>;
}

interface Options extends Pick<QuestionOptions, 'tell'> {
  readonly rounds: number;
  /** Measures the share of processors that other programs use. */
  share?(): Promise<number>;
}

const ATTEMPTS = 3;

/** Tries several times. Throws the last error. */
async function untilItSucceeds<T extends object | number>(
  run: () => Promise<T>,
  name: string,
  tell: (text: string) => void,
): Promise<{ result: T; failed: number }> {
  for (let failed = 0; ; failed += 1) {
    try {
      return { result: measured(await run()), failed };
    } catch (error) {
      if (failed + 1 === ATTEMPTS) throw error;
      tell(`${name} failed and is repeated: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

/** Throws if one of the numbers is not finite, because the measurement failed. */
function measured<T extends object | number>(result: T): T {
  for (const [name, value] of typeof result === 'number' ? [['', result]] : Object.entries(result)) {
    if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${name} was not measured`.trim());
  }
  return result;
}

/** Removes the verdict from the row if other programs used more of the machine than the limit. */
export function withShare(measured: Row, share: number): Row {
  return share <= BUSY_LIMIT ? measured : { ...measured, met: null, busy: share };
}
