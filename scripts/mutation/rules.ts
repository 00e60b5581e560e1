import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type {} from '@early-access-kit/testkit/provided-rules';
import { createVitest, type TestCase, type Vitest } from 'vitest/node';
import { ROOT, run } from '../run.ts';
import type { TestedMutant } from './mutant.ts';
import { type RulesMutant, rulesMutants } from './rules-mutants.ts';

const RULES = 'packages/early-access-firebase/firestore.rules';
const PRINT_RULES = 'packages/early-access-firebase/src/cli.ts';
const TESTS = 'packages/early-access-kit/test/firestore';
/** Changes detected in earlier runs, as hashes of the changed rules and the tests. */
const NOTICED = path.join(ROOT, 'node_modules/.cache/mutation/rules.json');
/** Maximum number of tests that are run with a change, fastest first. */
const MAX_TESTS = 3;

/**
 * Changes one condition of the Firestore rules at a time and runs their tests. First, one run of all tests repeats each
 * request against databases with all changes. Then each change is only run with tests in which it decided differently,
 * because no other test can detect it.
 */
export async function runRules(): Promise<TestedMutant[]> {
  const { code, output } = await run('node', [PRINT_RULES, 'rules', '--direct-signups']);
  if (code !== 0) throw new Error(output);
  const mutants = rulesMutants(output);
  const digestOf = digestWithTests();
  const noticed = new Set<string>(existsSync(NOTICED) ? JSON.parse(readFileSync(NOTICED, 'utf8')) : []);
  await testEach(
    mutants.filter(({ rules }) => !noticed.has(digestOf(rules))),
    ({ rules }) => {
      noticed.add(digestOf(rules));
      mkdirSync(path.dirname(NOTICED), { recursive: true });
      writeFileSync(NOTICED, JSON.stringify([...noticed]));
    },
  );
  return mutants.map(({ rules, ...mutant }) => ({
    file: RULES,
    ...mutant,
    outcome: noticed.has(digestOf(rules)) ? 'killed' : 'survived',
  }));
}

function digestWithTests(): (rules: string) => string {
  const files = globSync(`${TESTS}/*.ts`, { cwd: ROOT }).toSorted();
  const tests = files.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('');
  return (rules) => createHash('sha256').update(tests).update(rules).digest('hex');
}

/** Calls back for each change that a test detects. */
async function testEach(mutants: readonly RulesMutant[], onNoticed: (mutant: RulesMutant) => void): Promise<void> {
  process.env.MUTATION_TESTS = `${TESTS}/rules-*.test.ts`;
  process.env.MUTATION_EXAMPLES = '400';
  process.env.MUTATION_SETUP = `${TESTS}/mutated-rules.ts`;
  // Isolated, because each file's setup replaces `fetch`.
  const options = { root: ROOT, config: 'vitest.mutation.config.ts', watch: false, maxWorkers: 1, isolate: true };
  const vitest = await createVitest('test', { ...options, pool: 'threads', reporters: [] });
  try {
    const tests = await findTests(vitest, mutants);
    for (const [place, mutant] of mutants.entries()) {
      if (await fails(vitest, mutant.rules, tests[place] ?? [])) onNoticed(mutant);
      if (place % 50 === 49) console.log(`${place + 1} of ${mutants.length} changes of the rules tested`);
    }
  } finally {
    await vitest.close();
  }
}

/** Returns tests in which each change decides differently. Throws if the tests fail without a change. */
async function findTests(vitest: Vitest, mutants: readonly RulesMutant[]): Promise<readonly TestCase[][]> {
  vitest.provide(
    'watchedRules',
    mutants.map(({ rules }) => rules),
  );
  vitest.provide('testedRules', undefined);
  const specifications = await vitest.globTestSpecifications();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const all = testModules.flatMap(({ children }) => [...children.allTests()]);
  const errors = [
    ...testModules.flatMap((file) => file.errors()),
    ...all.flatMap((test) => test.result().errors ?? []),
  ];
  if (all.length === 0 || unhandledErrors.length > 0 || errors.length > 0)
    throw new Error('The tests of the rules fail without a change', { cause: [...errors, ...unhandledErrors] });
  const tests = mutants.map((): TestCase[] => []);
  for (const test of all) {
    for (const place of test.meta().decidesOtherwise ?? []) tests[place]?.push(test);
  }
  vitest.provide('watchedRules', []);
  const getDuration = (test: TestCase) => test.diagnostic()?.duration ?? 0;
  return tests.map((found) => found.toSorted((a, b) => getDuration(a) - getDuration(b)).slice(0, MAX_TESTS));
}

/** Returns whether one of the tests fails with these rules. */
async function fails(vitest: Vitest, rules: string, tests: readonly TestCase[]): Promise<boolean> {
  vitest.provide('testedRules', rules);
  for (const { project, module, id } of tests) {
    const specification = project.createSpecification(module.moduleId, { testIds: [id] });
    const { testModules } = await vitest.runTestSpecifications([specification]);
    if (testModules.some((file) => !file.ok())) return true;
  }
  return false;
}
