/**
 * Changes one thing at a time in the source and runs the tests that reach it; at least 93% of the changes have to be noticed:
 * `npm run test:mutation`. A name selects parts, as in `npm run test:mutation -- core app/mail rules`. The first run takes hours, a later
 * one tests only what has changed. Then `npm run docs` updates the tables of docs/mutation.md.
 */
import { isEquivalent, outdatedEquivalents } from '../mutation/equivalent.ts';
import type { TestedMutant } from '../mutation/mutant.ts';
import { PARTS } from '../mutation/parts.ts';
import { countsOf, GOAL, saveResults, scoreOf } from '../mutation/results.ts';
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
  const tested = await run();
  saveResults(name, tested);
  report(name, tested);
}

function report(name: string, tested: readonly TestedMutant[]): void {
  for (const mutant of tested) {
    if (mutant.outcome !== 'survived' || isEquivalent(mutant)) continue;
    console.log(`\n${mutant.file}:${mutant.line}\n- ${mutant.before}\n+ ${mutant.after}`);
  }
  const outdated = outdatedEquivalents(tested);
  for (const { file, after } of outdated) {
    console.error(`\nscripts/mutation/equivalents.json lists what has not survived in ${file}:\n+ ${after}`);
  }
  const counts = countsOf(tested);
  const score = scoreOf(counts);
  console.log(
    `\n${name}: ${counts.killed} of ${counts.killed + counts.survived} noticed (${(score * 100).toFixed(1)}%), ` +
      `${counts.equivalent} equivalent, ${counts.invalid} do not compile\n`,
  );
  if (score < GOAL || outdated.length > 0) process.exitCode = 1;
}

function isWithin(name: string, word: string): boolean {
  return name === word || name.startsWith(`${word}/`);
}
