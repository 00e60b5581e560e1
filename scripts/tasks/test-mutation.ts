/**
 * Makes single changes to the source and runs the tests that cover them; at least 93% must be detected:
 * `npm run task -- test:mutation`. A name selects parts, as in `npm run task -- test:mutation core app/mail rules`. The
 * first run takes hours; later ones only test what has changed. Each part updates its row in
 * scripts/mutation/README.md.
 */
import type { TestedMutant } from '../mutation/mutant.ts';
import { PARTS } from '../mutation/parts.ts';
import { computeScore, countOutcomes, GOAL, saveResult } from '../mutation/results.ts';
import { runRules } from '../mutation/rules.ts';
import { runPart } from '../mutation/run-part.ts';
import { buildOrExit } from '../turbo.ts';

const RUNS = [
  ...PARTS.map((part) => ({ name: part.name, run: () => runPart(part) })),
  { name: 'rules', run: runRules },
];
const wanted = process.argv.slice(2);
const selected = RUNS.filter(({ name }) => wanted.length === 0 || wanted.some((word) => isWithin(name, word)));
if (selected.length === 0) {
  console.error(`There is no such part. The parts are ${RUNS.map(({ name }) => name).join(', ')}.`);
  process.exit(1);
}

await buildOrExit(['early-access-kit#build']);
for (const { name, run } of selected) {
  report(name, await run());
}

function report(name: string, tested: readonly TestedMutant[]): void {
  for (const { file, line, before, after } of tested.filter(({ outcome }) => outcome === 'survived')) {
    console.log(`\n${file}:${line}\n- ${before}\n+ ${after}`);
  }
  const counts = countOutcomes(tested);
  const score = computeScore(counts);
  saveResult(
    name,
    counts,
    RUNS.map((part) => part.name),
  );
  console.log(
    `\n${name}: ${counts.killed} of ${counts.killed + counts.survived} noticed (${(score * 100).toFixed(1)}%), ` +
      `${counts.invalid} do not compile\n`,
  );
  if (score < GOAL) process.exitCode = 1;
}

function isWithin(name: string, word: string): boolean {
  return name === word || name.startsWith(`${word}/`);
}
