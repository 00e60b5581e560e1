import type { TestedMutant } from './mutant.ts';

/** A change that no test can notice, because the program does the same with it. */
interface Equivalent {
  readonly file: string;
  /** The changed line, as `npm run test:mutation` prints it. */
  readonly after: string;
  readonly reason: string;
}

/** Each has been looked at. Remove an entry when its line changes: the command fails if one is noticed, or is not found any more. */
export const EQUIVALENTS: readonly Equivalent[] = [
  {
    file: 'packages/early-access-kit/src/core/fields.ts',
    after:
      'text = /^\\w+:\\/\\//.test(text) ? text.replace(/https?:/i, (scheme) => scheme.toLowerCase()) : `https://${text}`;',
    reason: 'A text with another scheme is no web address, whatever its lower case.',
  },
  {
    file: 'packages/early-access-kit/src/core/random-id.ts',
    after: '(+digit ^ (-crypto.getRandomValues(new Uint8Array(1)) & (15 >> (+digit / 4)))).toString(16),',
    reason: 'The last bits of a negative random number are as random.',
  },
];

/** Returns the entry of a survivor. */
export function equivalentOf({ file, after }: TestedMutant): Equivalent | undefined {
  return EQUIVALENTS.find((entry) => entry.file === file && entry.after === after);
}

/** Returns the entries of tested files that are not, or no longer, survivors. */
export function outdatedEquivalents(tested: readonly TestedMutant[]): readonly Equivalent[] {
  const files = new Set(tested.map(({ file }) => file));
  const survivors = tested.filter(({ outcome }) => outcome === 'survived');
  return EQUIVALENTS.filter(
    ({ file, after }) => files.has(file) && !survivors.some((mutant) => mutant.file === file && mutant.after === after),
  );
}
