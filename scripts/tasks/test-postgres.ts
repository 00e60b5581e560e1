/**
 * `npm run task -- test:postgres`: the Postgres store on real servers. The store contract and the failures of the
 * server, which `npm test` runs too; the long rounds of its faults: 20 `kill -9` of servers that share a database, and
 * the database away under load; and the product in a browser.
 */
import { run } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

await buildOrExit(SELF_HOSTED);
const tests = ['run', '--project', 'programs', '--project', 'faults', 'postgres'];
const browser = { cwd: 'e2e', env: { STORAGE: 'postgres' }, live: true };
const codes = [
  (await run('vitest', tests, { env: { FAULTS: 'long', NO_COLOR: '1' }, live: true })).code,
  (await run('playwright', ['test', '--reporter=line'], browser)).code,
];
process.exitCode = codes.some((code) => code !== 0) ? 1 : 0;
