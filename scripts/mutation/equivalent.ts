import equivalents from './equivalents.json' with { type: 'json' };
import type { Change, TestedMutant } from './mutant.ts';

/** Changes that no test can notice, because the program does the same with them. */
interface Equivalents {
  readonly file: string;
  readonly reason: string;
  /** For each change the line before and after it, as `npm run test:mutation` prints them. */
  readonly changes: readonly (readonly string[])[];
}

/** Each has been looked at. Remove a change when its line changes: the command fails if one is noticed, or is not found any more. */
export const EQUIVALENTS: readonly Equivalents[] = equivalents;

/** Whether a change is listed. */
export function isEquivalent(mutant: Change): boolean {
  return EQUIVALENTS.some(
    ({ file, changes }) => file === mutant.file && changes.some((change) => isSame(change, mutant)),
  );
}

/** Returns the listed changes of tested files that are not, or no longer, survivors. */
export function outdatedEquivalents(
  tested: readonly TestedMutant[],
): readonly { readonly file: string; readonly after: string }[] {
  const survivors = tested.filter(({ outcome }) => outcome === 'survived');
  return EQUIVALENTS.filter(({ file }) => tested.some((mutant) => mutant.file === file)).flatMap(({ file, changes }) =>
    changes
      .filter((change) => !survivors.some((mutant) => mutant.file === file && isSame(change, mutant)))
      .map(([, after = '']) => ({ file, after })),
  );
}

function isSame([before, after]: readonly string[], mutant: Change): boolean {
  return mutant.before === before && mutant.after === after;
}
