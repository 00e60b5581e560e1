/**
 * Tests the packed package in typical projects: `npm run test:consumers`, with Playwright's arguments after `--`.
 * `npm run test:consumers -- --update-locks` updates the lockfiles of those projects, or of the examples named after it.
 */

import { type Installation, updateLock } from '../../e2e/consumers/support/install.ts';
import { INSTALLATIONS } from '../../e2e/consumers/support/installations.ts';
import { run } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

const args = process.argv.slice(2);
if (args.includes('--update-locks')) {
  const named = args.filter((arg) => !arg.startsWith('-'));
  for (const installation of Object.values<Installation>(INSTALLATIONS)) {
    if (named.length === 0 || named.includes(installation.example)) await updateLock(installation);
  }
} else {
  await buildOrExit(['early-access-server#build', 'early-access-firebase#build', 'create-early-access#build']);
  const tests = ['test', '--config', 'consumers/playwright.config.ts', '--reporter', 'line', ...args];
  process.exitCode = (await run('playwright', tests, { cwd: 'e2e', live: true })).code;
}
