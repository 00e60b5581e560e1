import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { markdownTable, withTable } from '../documents/table.ts';
import { ROOT } from '../run.ts';
import type { TestedMutant } from './mutant.ts';

/** Contains the last result of each part. */
const DOCUMENT = path.join(ROOT, 'scripts/mutation/README.md');
const HEAD = ['part', 'changes that compile', 'noticed', 'missed', 'share'];

/** The minimum share of compiling mutants that tests have to detect. */
export const GOAL = 0.93;

export interface Counts {
  readonly killed: number;
  readonly survived: number;
  /** Mutants that do not compile and are not counted. */
  readonly invalid: number;
}

export function countOutcomes(tested: readonly TestedMutant[]): Counts {
  const count = (wanted: TestedMutant['outcome']) => tested.filter(({ outcome }) => outcome === wanted).length;
  return { killed: count('killed'), survived: count('survived'), invalid: count('invalid') };
}

/** Returns the share of killed mutants among compiling ones; 1 if there are none. */
export function computeScore({ killed, survived }: Counts): number {
  return killed + survived === 0 ? 1 : killed / (killed + survived);
}

/** Updates a part's row in the table of `scripts/mutation/README.md`, whose rows are in the order of `parts`. */
export function saveResult(part: string, counts: Counts, parts: readonly string[]): void {
  const { killed, survived } = counts;
  const numbers = [killed + survived, killed, survived].map((number) => number.toLocaleString('en'));
  const document = readFileSync(DOCUMENT, 'utf8');
  const rows = new Map(readRows(document).map((row) => [row[0], row]));
  rows.set(part, [part, ...numbers, `${(computeScore(counts) * 100).toFixed(1)}%`]);
  const ordered = parts.flatMap((name) => [rows.get(name) ?? []]).filter((row) => row.length > 0);
  writeFileSync(DOCUMENT, withTable(document, markdownTable([HEAD, ...ordered], 'right'), 'mutation'));
}

function readRows(document: string): readonly string[][] {
  const lines = document.split('\n').filter((line) => /^\| [a-z].*%/.test(line));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}
