import { distance } from 'fastest-levenshtein';

/** The name that differs from `given` by the fewest typing mistakes, and their number. Undefined if there are no names. */
export function findNearest(given: string, names: readonly string[]) {
  return names.map((name) => ({ name, typos: countTypos(given, name) })).toSorted((a, b) => a.typos - b.typos)[0];
}

/** How many letters are missing, added or wrong. Two swapped letters are one mistake. */
function countTypos(name: string, known: string): number {
  const typos = distance(name, known);
  return typos === 2 && [...name].toSorted().join('') === [...known].toSorted().join('') ? 1 : typos;
}
