import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';
import { markdownTable } from './table.ts';

/** The fields used from `bench/results.json`. */
interface Results {
  readonly rows: readonly Measured[];
}

interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
  readonly theirs: number | null;
  readonly against?: string;
  readonly goal: string | null;
  readonly met: boolean | null;
}

/** Rows of the results, and what they are called here. Of several beside different things, the first. */
const ROWS: Readonly<Record<string, string>> = {
  'tracker with http': 'tracker with its transport',
  'form with http, beside React': 'form with its transport, beside React',
  'embed: form, tracker, styles with http, without React': 'embed: form, tracker and styles on a page without React',
  'Firestore adapter': 'Firestore adapter',
  'visit of 10 s, one page': 'writes of a visit of 10 s',
  'visit of 2 min, three pages, hidden once': 'writes of a visit of 2 min, three pages, hidden once',
  'visit of 1 h, six pages, hidden four times': 'writes of a visit of 1 h, six pages, hidden four times',
  'Lighthouse performance, mobile': 'landing page, Lighthouse performance on a phone',
  'largest contentful paint': 'landing page, largest contentful paint',
  'total blocking time': 'landing page, total blocking time',
  'cumulative layout shift': 'landing page, cumulative layout shift',
  'document, head included': 'landing page, first answer',
  'interaction to next paint, processor 4 times slower':
    'typing and submitting, slowest interaction, processor 4 times slower',
  'tracker, 60 s of scrolling and clicking': 'tracker, a minute of scrolling and clicking, main thread',
  'layouts that it forced': 'layouts that it forced',
  'sign-ups, 256 connections': 'durable signups, 256 connections',
  'sign-ups, 256 connections, p99': 'of these p99',
  'sign-ups, 256 connections, half load, p99': 'at half that load p99',
  'session starts, 256 connections': 'durable session starts, 256 connections',
  'session starts, 256 connections, p99': 'of these p99',
  'session starts, 256 connections, half load, p99': 'at half that load p99',
  'session updates, 256 connections': 'durable session updates, 256 connections',
  'session updates, 256 connections, p99': 'of these p99',
  'session updates, 256 connections, half load, p99': 'at half that load p99',
  'signups stored in Postgres by 2 processes': 'durable signups in Postgres, two processes, without HTTP',
  'memory in the last third of 600 s of sign-ups': 'memory in the last third of ten minutes of load',
  'summary of 1,000,000 sessions': 'analytics summary of a million sessions',
  'summary of 10,000,000 sessions': 'analytics summary of ten million sessions',
  'summary of 1,000,000 sessions on Firestore': 'the same on Firestore, a million sessions',
  'database of 1,000,000 sessions': 'database of a million sessions',
  'start with 10,000,000 sessions': 'start of the server with ten million sessions',
};

const TABLE = /(?<=<!-- measured: .*? -->\n)[\s\S]*?(?=<!-- end of what is measured -->)/;

/** Returns the document with its table updated from `bench/results.json`. Throws if a row is missing there. */
export function withMeasurements(document: string): string {
  if (!TABLE.test(document)) throw new Error('The document has no table of measurements');
  const { rows }: Results = JSON.parse(readFileSync(path.join(ROOT, 'bench/results.json'), 'utf8'));
  const cells = Object.entries(ROWS).map(([name, label]) => {
    const row = rows.find((row) => row.name === name);
    if (row === undefined) throw new Error(`bench/results.json has no "${name}": measure it first, by npm run bench`);
    return [label, amount(row.ours, row.unit), beside(row), goalOf(row)];
  });
  const table = markdownTable([['what', 'ours', 'beside it', 'goal'], ...cells], 'left');
  return document.replace(TABLE, () => `\n${table}\n`);
}

function beside({ theirs, unit, against = '' }: Measured): string {
  return theirs === null ? '' : `${amount(theirs, unit)}, ${against}`;
}

function goalOf({ goal, met }: Measured): string {
  return met === false ? `${goal}: **not met**` : (goal ?? '');
}

function amount(value: number, unit: string): string {
  const number = value.toLocaleString('en', { maximumSignificantDigits: value < 100 ? 3 : 21 });
  return unit === '/s' ? `${number}/s` : `${number} ${unit}`.trim();
}
