/** Runs the named benchmarks, or all of them: `npm run bench -- [--quick] [question …]`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { dashboard } from './dashboard.ts';
import { growth } from './growth.ts';
import { list } from './list.ts';
import { page } from './page.ts';
import { server } from './server.ts';
import { soak } from './soak.ts';
import { stores } from './stores.ts';
import { load, machine, versions } from './support/machine.ts';
import type { Question } from './support/question.ts';
import { keepResults, type Run } from './support/results.ts';
import type { Row } from './support/row.ts';
import { tableOf } from './support/table.ts';
import { visitWrites } from './visit-writes.ts';
import { weight } from './weight.ts';

const QUESTIONS: Readonly<Record<string, Question>> = {
  weight,
  page,
  server,
  soak,
  growth,
  dashboard,
  list,
  stores,
  'visit-writes': visitWrites,
};

/** On the repository's disk, because the system's temporary folder may be in memory, where nothing is durable. */
const SCRATCH = path.resolve(import.meta.dirname, '../.cache/bench');

await main();

async function main(): Promise<void> {
  const {
    values: { quick },
    positionals: wanted,
  } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false } },
  });
  const names = Object.keys(QUESTIONS);
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`There is no question "${unknown}". The questions are: ${names.join(', ')}.\n`);
    process.exitCode = 1;
    return;
  }
  const answers: { run: Run; rows: readonly Row[] }[] = [];
  for (const [name, question] of Object.entries(QUESTIONS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const answer = await ask(name, question, quick);
    // Saved immediately, so that a failing benchmark does not lose the results of the others.
    keepResults(names, answer);
    answers.push(answer);
  }
  for (const { heading, lines } of answers.flatMap(({ run }) => run.remarks ?? [])) {
    process.stdout.write(`\n${heading}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
  process.stdout.write(`\n${tableOf(new Map(answers.map(({ run, rows }) => [titleOf(run), rows])))}`);
  const used = answers.at(-1)?.run.versions ?? {};
  process.stdout.write(
    `\nVersions: ${Object.entries(used)
      .map((version) => version.join(' '))
      .join(', ')}\n`,
  );
  const open = answers.flatMap(({ rows }) => rows).filter(({ met }) => met === false);
  for (const { name, note } of open) process.stdout.write(`\nNot met: ${name}. ${note ?? ''}\n`);
}

async function ask(name: string, question: Question, quick: boolean) {
  const before = load();
  const started = performance.now();
  mkdirSync(SCRATCH, { recursive: true });
  const folder = mkdtempSync(path.join(SCRATCH, `${name}-`));
  const tell = (text: string) => void process.stderr.write(`${name}: ${text}\n`);
  tell(question.asks);
  try {
    const { rows, remarks } = await question.answer({ quick, folder, tell });
    const seconds = Math.round((performance.now() - started) / 1_000);
    const run: Run = {
      question: name,
      quick,
      seconds,
      machine: machine(),
      load: { before, after: load() },
      versions: versions(),
      ...(remarks && { remarks }),
    };
    return { run, rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function titleOf({ question, machine: { processor, cores }, load: { before, after }, quick }: Run): string {
  return `${question}${quick ? ' (quick)' : ''}: ${processor}, ${cores} cores, load ${before} before and ${after} after`;
}
