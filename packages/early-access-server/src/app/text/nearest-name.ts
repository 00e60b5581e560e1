import { distance } from 'fastest-levenshtein';

/** Finds the name with the fewest typing mistakes, and returns both. Undefined if there are no names. */
export function findNearest(given: string, names: readonly string[]) {
  return names.map((name) => ({ name, typos: countTypos(given, name) })).toSorted((a, b) => a.typos - b.typos)[0];
}

const MAX_TYPOS = 2;

/** Returns the name that `given` is probably a misspelling of. */
export function findMisspelled(given: string, names: readonly string[]): string | undefined {
  const nearest = findNearest(given, names);
  return nearest && nearest.typos <= MAX_TYPOS && nearest.typos < given.length / 2 ? nearest.name : undefined;
}

/** Counts missing, extra and wrong letters. Two swapped letters count as one mistake. */
function countTypos(name: string, known: string): number {
  const typos = distance(name, known);
  return typos === 2 && [...name].toSorted().join('') === [...known].toSorted().join('') ? 1 : typos;
}
