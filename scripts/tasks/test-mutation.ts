/**
 * Makes single changes to the source and runs the tests that cover them; at least 93% must be detected:
 * `npm run task -- test:mutation`. A name selects parts, as in `npm run task -- test:mutation core app/mail rules`. The
 * first run takes hours; later ones only test what has changed. Each part updates its row in
 * scripts/mutation/README.md.
 */
import { GROUPS } from '../mutation/groups.ts';
import type { TestedMutant } from '../mutation/mutant.ts';
import { computeScore, countOutcomes, GOAL, saveResult } from '../mutation/results.ts';
import { runRules } from '../mutation/rules.ts';
import { runGroup } from '../mutation/run-group.ts';
import { buildOrExit } from '../turbo.ts';

const RULES = 'rules';
const NAMES = [...GROUPS.flatMap(({ parts }) => parts.map(({ name }) => name)), RULES];
const wanted = process.argv.slice(2);
const selected = NAMES.filter((name) => wanted.length === 0 || wanted.some((word) => isSelected(name, word)));
if (selected.length === 0) {
  console.error(`There is no such part. The parts are ${NAMES.join(', ')}.`);
  process.exit(1);
}

await buildOrExit(['early-access-kit#build']);
for (const group of GROUPS) {
  const parts = group.parts.filter(({ name }) => selected.includes(name));
  if (parts.length === 0) continue;
  for (const [{ name }, tested] of await runGroup(group, parts)) report(name, tested);
}
if (selected.includes(RULES)) report(RULES, await runRules());

function report(name: string, tested: readonly TestedMutant[]): void {
  for (const { file, line, before, after } of tested.filter(({ outcome }) => outcome === 'survived')) {
    console.log(`\n${file}:${line}\n- ${before}\n+ ${after}`);
  }
  const counts = countOutcomes(tested);
  const score = computeScore(counts);
  saveResult(name, counts, NAMES);
  console.log(
    `\n${name}: ${counts.killed} of ${counts.killed + counts.survived} noticed (${(score * 100).toFixed(1)}%), ` +
      `${counts.invalid} do not compile\n`,
  );
  if (score < GOAL) process.exitCode = 1;
}

function isSelected(name: string, word: string): boolean {
  return name === word || name.startsWith(`${word}/`);
}
