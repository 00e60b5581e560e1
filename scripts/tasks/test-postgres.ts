/**
 * `npm run task -- test:postgres`: tests the Postgres store on real servers. Runs the store contract and server
 * failures, which `npm test` runs, too; the long fault rounds: 20 `kill -9` of servers that share a database, and
 * losing the database under load; and the product in a browser.
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
