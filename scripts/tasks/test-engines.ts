/**
 * Runs the visitor's flows in Firefox, WebKit and Chromium: `npm run test:engines`. A name selects a browser, as in
 * `npm run test:engines -- firefox`; other arguments are Playwright's. `--update` stores the table of docs/browsers.md. Installs missing
 * browsers as root on Debian. `npm test` runs a few of the flows in the browsers that are there.
 */
import { findProgram } from '@early-access-kit/testkit/programs';
import { BROWSERS } from '../../e2e/engines/support/browsers.ts';
import { run, runOrExit } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

const args = process.argv.slice(2);
const update = args.includes('--update');
const named = BROWSERS.filter(({ name }) => args.includes(name.toLowerCase()));
const browsers = named.length > 0 ? named : BROWSERS;
const missing = browsers.filter(({ find }) => find(findProgram) === undefined);
for (const { name, packages } of missing) {
  console.error(`${name} is not installed. Debian and Ubuntu have it: apt-get install ${packages.join(' ')}`);
}
if (missing.length > 0) {
  const others = browsers.filter((browser) => !missing.includes(browser)).map(({ name }) => name.toLowerCase());
  if (others.length > 0) console.error(`Without it: npm run test:engines -- ${others.join(' ')}`);
  process.exit(1);
}

await buildOrExit(SELF_HOSTED);
const options = args.filter((arg) => arg !== '--update' && !named.some(({ name }) => name.toLowerCase() === arg));
const projects = browsers.map(({ name }) => `--project=${name}`);
const tests = ['test', '--config', 'engines/playwright.config.ts', ...projects, ...options];
const isPart = options.length > 0 || named.length > 0;
const env = { ENGINES: update ? (isPart ? 'update some' : 'update') : options.length > 0 ? 'some' : 'whole' };
const { code } = await run('playwright', tests, { cwd: 'e2e', env, live: true });
if (update) await runOrExit('node', ['scripts/tasks/docs.ts']);
process.exitCode = code;
