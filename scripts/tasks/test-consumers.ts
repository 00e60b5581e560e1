/**
 * Tests the packed package in typical projects: `npm run task -- test:consumers`, followed by Playwright's arguments.
 * `npm run task -- test:consumers --update-locks` updates the lockfiles of these projects, or of the named examples.
 */
import { run, runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

const args = process.argv.slice(2);
if (args.includes('--update-locks')) {
  const named = args.filter((arg) => !arg.startsWith('-'));
  await runOrExit('node', ['e2e/consumers/support/update-locks.ts', ...named], { live: true });
} else {
  await buildOrExit(['early-access-server#build', 'early-access-firebase#build', 'create-early-access#build']);
  const tests = ['test', '--config', 'consumers/playwright.config.ts', '--reporter', 'line', ...args];
  process.exitCode = (await run('playwright', tests, { cwd: 'e2e', live: true })).code;
}
