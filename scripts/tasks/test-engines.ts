/**
 * Runs the visitor's flows in Firefox, WebKit and Chromium: `npm run task -- test:engines`, followed by Playwright's
 * arguments. Uses browsers downloaded with `npm run pnpm -- --filter e2e exec playwright install firefox webkit`, and
 * an installed Firefox. `npm test` runs some of the flows.
 */
import { missingEngines } from '@early-access-kit/testkit/programs';
import { run } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

await buildOrExit(SELF_HOSTED);
const tests = ['test', '--config', 'engines/playwright.config.ts', ...process.argv.slice(2)];
const { code } = await run('playwright', tests, { cwd: 'e2e', env: { ENGINES: 'all' }, live: true });
const missing = missingEngines();
if (missing.length > 0) console.error(`Not installed, so not tested: ${missing.join(', ')}`);
process.exitCode = code;
