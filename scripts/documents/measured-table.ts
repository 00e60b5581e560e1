import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';
import { markdownTable, withTable } from './table.ts';

/** The fields used from `bench/results.json`. */
interface Results {
  readonly rows: readonly Measured[];
}

interface Measured {
  readonly question: string;
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly theirs: number | null;
  readonly ratio: number | null;
  readonly ratios?: { readonly min: number; readonly max: number };
  readonly against?: string;
  readonly goal: string | null;
  readonly met: boolean | null;
}

/** Returns the document with its table updated from `bench/results.json`: everything that has a goal. */
export function withMeasurements(document: string): string {
  const { rows }: Results = JSON.parse(readFileSync(path.join(ROOT, 'bench/results.json'), 'utf8'));
  const cells = rows
    .filter(({ goal }) => goal !== null)
    .map((row) => [row.question, row.name, amount(row.ours, row.unit), beside(row), times(row), formatGoal(row)]);
  const table = markdownTable(
    [['question', 'what', 'ours', 'beside it', 'ratio (lowest – highest)', 'goal'], ...cells],
    'left',
  );
  return withTable(document, table, 'measured', 'what is measured');
}

function times({ ratio, ratios }: Measured): string {
  if (ratio === null) return '';
  const text = (value: number) => `${value < 0.1 ? value.toPrecision(1) : value.toFixed(2)}×`;
  return ratios ? `${text(ratio)} (${text(ratios.min)} – ${text(ratios.max)})` : text(ratio);
}

function beside({ theirs, unit, against = '' }: Measured): string {
  return theirs === null ? '' : `${amount(theirs, unit)}, ${against}`;
}

function formatGoal({ goal, met }: Measured): string {
  return met === false ? `${goal}: **not met**` : (goal ?? '');
}

function amount(value: number, unit: string): string {
  const number = value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 3 : 21 });
  return unit === '/s' ? `${number}/s` : `${number} ${unit}`.trim();
}
