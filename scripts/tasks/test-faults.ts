/**
 * Runs many rounds of the fault tests, some of which take minutes, and prints a table of their figures:
 * `npm run task -- test:faults`. A name selects files, as in `npm run task -- test:faults kill`. `npm test -- all` runs a
 * few rounds of each.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

const REPORT = path.join(ROOT, 'node_modules', '.cache', 'faults.jsonl');
mkdirSync(path.dirname(REPORT), { recursive: true });
rmSync(REPORT, { force: true });

await buildOrExit([...SELF_HOSTED, 'site#build:demo', 'early-access-firebase#build']);
const env = { FAULTS: 'long', FAULTS_REPORT: REPORT, NO_COLOR: '1' };
/** Measures the visitors' response times, so no other test runs at the same time. */
const MEASURING = 'faults/abuse/server.test.ts';
const others = globSync('faults/*/*.test.ts', { cwd: ROOT }).filter((file) => file !== MEASURING);
const names = process.argv.slice(2);
const codes: number[] = [];
for (const files of names.length > 0 ? [names] : [[MEASURING], others]) {
  const tests = ['run', '--project', 'faults', '--passWithNoTests', ...files];
  codes.push((await run('vitest', tests, { env, live: true })).code);
}
const specs = names.length > 0 ? names.map((name) => `e2e/faults/.*${name}`) : ['e2e/faults/'];
for (const storage of [{}, { STORAGE: 'firestore' }]) {
  const tests = ['test', '--reporter=list', '--pass-with-no-tests', ...specs];
  codes.push((await run('playwright', tests, { cwd: 'e2e', env: { ...env, ...storage }, live: true })).code);
}

const figures = existsSync(REPORT) ? readFileSync(REPORT, 'utf8').trim().split('\n') : [];
for (const line of figures) {
  const [name, figure]: [string, string | number] = JSON.parse(line);
  console.log(`${name.padEnd(72)} ${figure}`);
}
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
