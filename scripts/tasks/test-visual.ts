/**
 * Compares the landing page and the sheet of the form's states with their stored pictures: `npm run test:visual`. With `--update`
 * what they look like now is stored.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { smallPng } from '../../e2e/visual/support/small-png.ts';
import { ROOT, run } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

const update = process.argv.includes('--update');

await buildOrExit(['site#build', 'storybook:static']);
// The tests of the comparison itself draw as another machine does: nothing to be stored.
const mode = update ? ['--update-snapshots=all', '(landing-page|state-sheet).spec.ts'] : [];
const config = ['--config', 'visual/playwright.config.ts', '--reporter=line'];
const { code } = await run('playwright', ['test', ...config, ...mode], { cwd: 'e2e', live: true });
if (update && code === 0) {
  for (const file of globSync(path.join(ROOT, 'e2e/visual/pictures/*.png'))) {
    writeFileSync(file, smallPng(readFileSync(file)));
  }
}
process.exitCode = code;
