import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';
import { isEquivalent } from './equivalent.ts';
import type { TestedMutant } from './mutant.ts';

/** What was measured last, by part. The table of `docs/mutation.md` is made of it. */
const RESULTS = path.join(ROOT, 'scripts/mutation/results.json');

/** The least share of mutants that tests have to notice, of those that compile. */
export const GOAL = 0.93;

/** Mutants of a file, or of several. */
export interface Counts {
  readonly killed: number;
  readonly survived: number;
  /** Those of `survived` that are listed as equivalent. */
  readonly equivalent: number;
  /** Do not compile, so that they are not counted. */
  readonly invalid: number;
}

export type Results = Readonly<Record<string, Readonly<Record<string, Counts>>>>;

/** The counts of each file by part. */
export function readResults(): Results {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
}

/** Replaces the counts of a part. */
export function saveResults(part: string, tested: readonly TestedMutant[]): void {
  const files = [...new Set(tested.map(({ file }) => file))].toSorted();
  const counts = Object.fromEntries(files.map((name) => [name, countsOf(tested.filter(({ file }) => file === name))]));
  writeFileSync(RESULTS, `${JSON.stringify({ ...readResults(), [part]: counts }, null, 2)}\n`);
}

export function countsOf(tested: readonly TestedMutant[]): Counts {
  const survivors = tested.filter(({ outcome }) => outcome === 'survived');
  return {
    killed: tested.filter(({ outcome }) => outcome === 'killed').length,
    survived: survivors.length,
    equivalent: survivors.filter(isEquivalent).length,
    invalid: tested.filter(({ outcome }) => outcome === 'invalid').length,
  };
}

export function sumOf(counts: readonly Counts[]): Counts {
  const sum = (key: keyof Counts) => counts.reduce((total, file) => total + file[key], 0);
  return { killed: sum('killed'), survived: sum('survived'), equivalent: sum('equivalent'), invalid: sum('invalid') };
}

/** The share of killed mutants, of those that compile; 1 if there are none. */
export function scoreOf({ killed, survived }: Counts): number {
  return killed + survived === 0 ? 1 : killed / (killed + survived);
}
