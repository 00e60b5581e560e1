/**
 * Compares the landing page, the state sheet of the form and the dashboard with stored screenshots:
 * `npm run task -- test:visual`. `--update` replaces the stored ones.
 */
import { run, runOrExit } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

const update = process.argv.includes('--update');

await buildOrExit(['site#build', 'storybook:static']);
// The tests of the comparison itself simulate another machine, so their screenshots are never stored.
const mode = update ? ['--update-snapshots=all', '(landing-page|state-sheet|dashboard).spec.ts'] : [];
const config = ['--config', 'visual/playwright.config.ts', '--reporter=line'];
const { code } = await run('playwright', ['test', ...config, ...mode], { cwd: 'e2e', live: true });
if (update && code === 0) await runOrExit('node', ['e2e/visual/support/shrink-pictures.ts']);
process.exitCode = code;
