/** Runs the named benchmarks, or all of them: `npm run bench -- [--quick] [question …]`. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { dashboard } from './dashboard.ts';
import { growth } from './growth.ts';
import { handWritten } from './hand-written.ts';
import { jobs } from './jobs.ts';
import { list } from './list.ts';
import { page } from './page.ts';
import { server } from './server.ts';
import { soak } from './soak.ts';
import { stores } from './stores.ts';
import { machine, versions } from './support/machine.ts';
import type { Question } from './support/question.ts';
import { BUSY_LIMIT, busyShare } from './support/quiet.ts';
import { keepResults, type Run } from './support/results.ts';
import { withShare } from './support/rounds.ts';
import type { Row } from './support/row.ts';
import { formatTable } from './support/table.ts';
import { tracker } from './tracker.ts';
import { visitWrites } from './visit-writes.ts';

const QUESTIONS: Readonly<Record<string, Question>> = {
  page,
  tracker,
  server,
  'hand-written': handWritten,
  soak,
  growth,
  dashboard,
  list,
  jobs,
  stores,
  'visit-writes': visitWrites,
};

const REASON = `That takes a run without --quick on a machine of which other programs use at most ${BUSY_LIMIT * 100} %.`;

/** On the repository's disk, because the system's temporary folder may be in memory, where commits are not durable. */
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
    if (isWorthKeeping(answer)) keepResults(names, answer);
    answers.push(answer);
  }
  for (const { heading, lines } of answers.flatMap(({ run }) => run.remarks ?? [])) {
    process.stdout.write(`\n${heading}\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
  process.stdout.write(`\n${formatTable(new Map(answers.map(({ run, rows }) => [formatTitle(run), rows])))}`);
  const used = answers.at(-1)?.run.versions ?? {};
  process.stdout.write(
    `\nVersions: ${Object.entries(used)
      .map((version) => version.join(' '))
      .join(', ')}\n`,
  );
  const unsaved = answers.filter((answer) => !isWorthKeeping(answer)).map(({ run }) => run.question);
  if (unsaved.length > 0) process.stdout.write(`\nNot saved in results.json: ${unsaved.join(', ')}. ${REASON}\n`);
  const open = answers.flatMap(({ rows }) => rows).filter(({ met }) => met === false);
  // A value that is compared with several others has one row per comparison.
  const missed = new Map(open.map(({ name, note = '' }) => [name, note]));
  for (const [name, note] of missed) process.stdout.write(`\nNot met: ${name}. ${note}\n`);
}

/** Quick runs are imprecise, and on a busy machine runs also measure other programs. */
function isWorthKeeping({ run, rows }: { run: Run; rows: readonly Row[] }): boolean {
  return !run.quick && rows.every(({ busy }) => busy === undefined);
}

async function ask(name: string, question: Question, quick: boolean) {
  const before = question.exact ? null : await busyShare();
  const started = performance.now();
  mkdirSync(SCRATCH, { recursive: true });
  const folder = mkdtempSync(path.join(SCRATCH, `${name}-`));
  const tell = (text: string) => void process.stderr.write(`${name}: ${text}\n`);
  tell(question.asks);
  try {
    const { rows, remarks } = await question.answer({ quick, folder, tell });
    const seconds = Math.round((performance.now() - started) / 1_000);
    const others = before === null ? null : { before, after: await busyShare() };
    const share = Math.max(others?.before ?? 0, others?.after ?? 0);
    const run: Run = {
      question: name,
      quick,
      seconds,
      machine: machine(),
      ...(others && { others }),
      versions: versions(),
      ...(remarks && { remarks }),
    };
    return { run, rows: rows.map((row) => withShare(row, Math.max(share, row.busy ?? 0))) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function formatTitle({ question, machine: { processor, cores }, others, quick }: Run): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const used = others && `, others used ${percent(others.before)} before and ${percent(others.after)} after`;
  return `${question}${quick ? ' (quick)' : ''}: ${processor}, ${cores} cores${used ?? ''}`;
}
