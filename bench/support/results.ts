import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Machine } from './machine.ts';
import type { Answer } from './question.ts';
import type { Row } from './row.ts';

const FILE = path.resolve(import.meta.dirname, '../results.json');

/** The last run of one question. Everything in it was measured side by side. */
export interface Run {
  readonly question: string;
  readonly quick: boolean;
  readonly seconds: number;
  readonly machine: Machine;
  /** The share of processors that other programs used, before and after. Irrelevant if the question is exact. */
  readonly others?: { readonly before: number; readonly after: number };
  readonly versions: Readonly<Record<string, string>>;
  readonly remarks?: Answer['remarks'];
}

interface Results {
  readonly runs: readonly Run[];
  readonly rows: readonly (Row & { readonly question: string })[];
}

/** Saves a benchmark's result, replacing its earlier one. Others stay unchanged. */
export function keepResults(order: readonly string[], answer: { run: Run; rows: readonly Row[] }): void {
  const earlier: Results = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : { runs: [], rows: [] };
  const asked = answer.run.question;
  const others = ({ question }: { question: string }) => question !== asked && order.includes(question);
  const runs = [...earlier.runs.filter(others), answer.run];
  const rows = [...earlier.rows.filter(others), ...answer.rows.map((row) => ({ question: asked, ...row }))];
  const byOrder = (a: { question: string }, b: { question: string }) =>
    order.indexOf(a.question) - order.indexOf(b.question);
  const [runLines, rowLines] = [runs, rows].map((list) => toLines(list.sort(byOrder)));
  writeFileSync(FILE, `{\n  "runs": [\n${runLines}\n  ],\n  "rows": [\n${rowLines}\n  ]\n}\n`);
}

/** One line per value, so that a new run of a question only changes its own lines. */
function toLines(values: readonly object[]): string {
  return values.map((value) => `    ${JSON.stringify(value)}`).join(',\n');
}
