/**
 * Type-checks every TypeScript snippet of the documents, as strictly as the project itself. A snippet that names a file (```ts file=path) is
 * compared with it instead: the file contains it word for word.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT, SERVER } from '../pack.ts';
import { ROOT, runOrExit } from '../run.ts';

/** By the package that they are compiled in, so that imports resolve as they do there, those of test libraries too. */
const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  [KIT]: ['README.md', `${KIT}/README.md`, ...globSync(`${KIT}/docs/*.mdx`, { cwd: ROOT })],
  [SERVER]: [`${SERVER}/README.md`, 'docs/mount.md', 'docs/adapters.md'],
};

for (const [owner, documents] of Object.entries(DOCUMENTS)) {
  const folder = path.join(ROOT, owner, '.cache', 'snippets');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  let count = 0;
  for (const document of documents) {
    const text = readFileSync(path.join(ROOT, document), 'utf8');
    for (const [, extension = '', file, code = ''] of text.matchAll(/^```([tj]sx?)(?: file=(\S+))?\n(.*?)^```/gms)) {
      count += 1;
      if (file === undefined) writeFileSync(path.join(folder, `snippet-${count}.${extension}`), code);
      else if (!readFileSync(path.join(ROOT, file), 'utf8').includes(code)) {
        throw new Error(`${document} shows code that is not in ${file}:\n${code}`);
      }
    }
  }
  if (count === 0) throw new Error(`The documents of ${owner} hold no snippet: has their form changed?`);
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../../tsconfig.base.json',
      compilerOptions: { lib: ['ES2024', 'DOM', 'DOM.Iterable'], types: owner === SERVER ? ['node'] : [] },
      include: ['.'],
    }),
  );
  await runOrExit('tsc', ['--project', folder]);
}
