/** Type-checks every TypeScript snippet of the READMEs and the guide against the built package, as strictly as the project itself. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '../pack.ts';
import { ROOT, runOrExit } from '../run.ts';

const DOCUMENTS = [
  'README.md',
  'packages/early-access-kit/README.md',
  ...globSync('packages/early-access-kit/docs/*.mdx', { cwd: ROOT }),
];
// Inside the package, so that imports resolve as they do in it, those of test libraries too.
const FOLDER = path.join(ROOT, KIT, '.cache', 'snippets');

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
let count = 0;
for (const document of DOCUMENTS) {
  const text = readFileSync(path.join(ROOT, document), 'utf8');
  for (const [, extension = '', code = ''] of text.matchAll(/^```(tsx?)\n(.*?)^```/gms)) {
    count += 1;
    writeFileSync(path.join(FOLDER, `snippet-${count}.${extension}`), code);
  }
}
if (count === 0) throw new Error('The documents hold no snippet: has their form changed?');
writeFileSync(
  path.join(FOLDER, 'tsconfig.json'),
  JSON.stringify({
    extends: '../../../../tsconfig.base.json',
    compilerOptions: { lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
    include: ['.'],
  }),
);
await runOrExit('tsc', ['--project', FOLDER]);
