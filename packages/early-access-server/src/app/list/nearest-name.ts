/** The name that differs from `name` by the fewest typing mistakes, and their number. Null if there are no names. */
export function findNearest(
  name: string,
  names: readonly string[],
): { readonly name: string; readonly typos: number } | null {
  const [first] = names
    .map((known) => ({ name: known, typos: countTypos(name, known) }))
    .toSorted((a, b) => a.typos - b.typos);
  return first ?? null;
}

/** How many letters are missing, added, wrong or swapped with the next one. */
function countTypos(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], [...b, ''].map((_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same, swapped));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
