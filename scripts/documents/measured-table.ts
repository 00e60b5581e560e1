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

/** Returns the document with its tables of rows with goals updated from `bench/results.json`, one per question. */
export function withMeasurements(document: string): string {
  const { rows }: Results = JSON.parse(readFileSync(path.join(ROOT, 'bench/results.json'), 'utf8'));
  const measured = rows.filter(({ goal }) => goal !== null);
  const tables = [...new Set(measured.map(({ question }) => question))].map((name) => {
    const cells = groupByGoal(measured.filter(({ question }) => question === name)).map(describe);
    return markdownTable([[name, 'ours', 'beside it', 'ratio (range)', 'goal'], ...cells], 'left');
  });
  return withTable(document, tables.join('\n'), 'measured', 'what is measured');
}

/**
 * Rows named `thing: view` share a row if they have the same goal and all or none meet it: the views of one thing, or
 * one view of several things.
 */
function groupByGoal(rows: readonly Measured[]): Measured[][] {
  const groups = new Map<string, Measured[]>();
  for (const row of rows) {
    const shared = [viewOf(row), thingOf(row)].find(
      (part) => part !== '' && rows.some((other) => other !== row && isSameGoal(other, row) && isPart(other, part)),
    );
    const key = [shared ?? rows.indexOf(row), row.goal, row.met].join();
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

function isSameGoal(one: Measured, other: Measured): boolean {
  return one.goal === other.goal && one.met === other.met;
}

function isPart(row: Measured, part: string): boolean {
  return viewOf(row) === part || thingOf(row) === part;
}

function thingOf({ name }: Measured): string {
  return name.includes(': ') ? (name.split(': ', 1)[0] ?? '') : '';
}

function viewOf({ name }: Measured): string {
  return name.split(': ').slice(1).join(': ');
}

function describe(rows: readonly Measured[]): string[] {
  const [row, ...others] = rows;
  if (row === undefined) return [];
  if (others.length === 0) return [row.name, amount(row.ours, row.unit), beside(row), times(row), formatGoal(row)];
  const [least, most] = [Math.min(...rows.map(({ ours }) => ours)), Math.max(...rows.map(({ ours }) => ours))];
  const range = `${amount(least, row.unit)} – ${amount(most, row.unit)}`;
  const name = rows.every((other) => thingOf(other) === thingOf(row))
    ? `${thingOf(row)}, ${rows.length} views`
    : `${viewOf(row)}, beside ${rows.length} jobs`;
  const ratios = rows.flatMap(({ ratio }) => ratio ?? []);
  const ratioRange = ratios.length < rows.length ? '' : `${formatRange(Math.min(...ratios), Math.max(...ratios))}×`;
  return [name, range, '', ratioRange, formatGoal(row)];
}

function times({ ratio, ratios }: Measured): string {
  if (ratio === null) return '';
  return `${formatRatio(ratio)}×${ratios ? ` (${formatRange(ratios.min, ratios.max)})` : ''}`;
}

function formatRange(least: number, most: number): string {
  return `${formatRatio(least)}–${formatRatio(most)}`;
}

function formatRatio(value: number): string {
  return value < 0.1 ? value.toPrecision(1) : value.toFixed(2);
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
