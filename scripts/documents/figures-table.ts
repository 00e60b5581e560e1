import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';
import { markdownTable, withTable } from './table.ts';

interface Row {
  readonly question: string;
  readonly name: string;
  readonly unit: string;
  readonly ours: number;
}

/** A figure's name in the document, and the question and name of its first row in `bench/results.json`. */
const FIGURES = [
  ['SQLite: sessions that start, with 256 connections', 'server', 'session starts, full load'],
  ['SQLite: updates of sessions, with 256 connections', 'server', 'session updates, full load'],
  ['SQLite: size of 10,000,000 sessions', 'growth', 'database of 10,000,000 sessions'],
  [
    'SQLite: a day of one source among 10,000,000 sessions',
    'dashboard',
    'dashboard of 10,000,000 sessions: yesterday of one source',
  ],
  ['SQLite: a page of 1,000,000 people', 'dashboard', '1,000,000 people: a page'],
  ['SQLite: a rare search among 1,000,000 people', 'dashboard', '1,000,000 people: a rare search'],
  ['SQLite: emails of a launch to 100,000 people', 'list', 'launch to 100,000 people'],
  ['Postgres: signups of two processes', 'stores', 'signups stored in Postgres by 2 processes'],
  [
    'Firestore: a view of 10,000,000 sessions, at most',
    'growth',
    'dashboard of 10,000,000 sessions on Firestore, at most',
  ],
] as const;

/** Returns the document with its table of figures updated from `bench/results.json`. */
export function withFigures(document: string): string {
  const { rows }: { rows: readonly Row[] } = JSON.parse(readFileSync(path.join(ROOT, 'bench/results.json'), 'utf8'));
  const cells = FIGURES.map(([label, question, name]) => {
    const row = rows.find((candidate) => candidate.question === question && candidate.name === name);
    if (row === undefined) throw new Error(`bench/results.json has no row ${question}: ${name}`);
    return [label, formatAmount(row)];
  });
  return withTable(document, markdownTable([['what', 'measured'], ...cells], 'right'), 'figures');
}

function formatAmount({ ours, unit }: Row): string {
  const amount = ours.toLocaleString('en', { maximumSignificantDigits: ours < 100 ? 2 : 3 });
  return `${amount} ${unit.replace('/s', 'per second')}`;
}
