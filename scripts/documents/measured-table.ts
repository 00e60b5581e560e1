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

/**
 * Returns the document with its tables updated from `bench/results.json`: everything that has a goal, with a table for
 * each question.
 */
export function withMeasurements(document: string): string {
  const { rows }: Results = JSON.parse(readFileSync(path.join(ROOT, 'bench/results.json'), 'utf8'));
  const measured = rows.filter(({ goal }) => goal !== null);
  const tables = [...new Set(measured.map(({ question }) => question))].map((name) => {
    const cells = groupByGoal(measured.filter(({ question }) => question === name)).map(describe);
    return markdownTable([[name, 'ours', 'beside it', 'ratio (range)', 'goal'], ...cells], 'left');
  });
  return withTable(document, tables.join('\n'), 'measured', 'what is measured');
}

/** Views of one thing, `thing: view`, that follow one another and have the same goal, share a row. */
function groupByGoal(rows: readonly Measured[]): Measured[][] {
  const groups: Measured[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last?.every((other) => nameThing(other) !== other.name && isSameGoal(other, row))) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

function isSameGoal(one: Measured, other: Measured): boolean {
  return nameThing(one) === nameThing(other) && one.goal === other.goal && one.met === other.met;
}

function nameThing({ name }: Measured): string {
  return name.split(': ', 1)[0] ?? name;
}

function describe(rows: readonly Measured[]): string[] {
  const [row, ...others] = rows;
  if (row === undefined) return [];
  if (others.length === 0) return [row.name, amount(row.ours, row.unit), beside(row), times(row), formatGoal(row)];
  const [least, most] = [Math.min(...rows.map(({ ours }) => ours)), Math.max(...rows.map(({ ours }) => ours))];
  const range = `${amount(least, row.unit)} – ${amount(most, row.unit)}`;
  return [`${nameThing(row)}, ${rows.length} views`, range, '', '', formatGoal(row)];
}

function times({ ratio, ratios }: Measured): string {
  if (ratio === null) return '';
  const text = (value: number) => (value < 0.1 ? value.toPrecision(1) : value.toFixed(2));
  return `${text(ratio)}×${ratios ? ` (${text(ratios.min)} – ${text(ratios.max)})` : ''}`;
}

function beside({ theirs, unit, against = '' }: Measured): string {
  return theirs === null ? '' : `${amount(theirs, unit)}, ${against}`;
}

function formatGoal({ goal, met }: Measured): string {
  return met === false ? `${goal}: **missed**` : (goal ?? '');
}

function amount(value: number, unit: string): string {
  const number = value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 3 : 21 });
  return unit === '/s' ? `${number}/s` : `${number} ${unit}`.trim();
}
