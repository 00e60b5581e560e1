import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FIREBASE, KIT, SERVER } from '@early-access-kit/testkit/packages';
import { transform } from 'esbuild';
import { ROOT, run } from '../run.ts';
import type { Snippet } from './snippet.ts';

const ON_FIREBASE = /from '(early-access-firebase|firebase-admin)/;
const ON_A_SERVER = /from '(early-access-server|@early-access-kit|node:|hono|@hono|standardwebhooks)|process\.env/;

/**
 * Type-checks the snippets with the project's own strictness, in the package whose libraries they import. Returns the
 * compiler's errors.
 */
export async function typeErrors(snippets: readonly Snippet[]): Promise<string[]> {
  const runs = [KIT, SERVER, FIREBASE].map(async (owner) => {
    const own = snippets.filter(({ code }) => ownerOf(code) === owner);
    const { code, output } = await run('tsc', ['--project', writeProject(owner, own)]);
    return code === 0 ? [] : [output];
  });
  return (await Promise.all(runs)).flat();
}

/**
 * Only checks the syntax of examples in doc comments, which have no imports. Type tests of wrong uses cover the rest.
 */
export async function syntaxErrors({ document, code }: Snippet): Promise<string[]> {
  return transform(code, { loader: 'tsx', logLevel: 'silent' }).then(
    () => [],
    (error: unknown) => [`${document}: ${error}\n${code}`],
  );
}

function ownerOf(code: string): string {
  if (ON_FIREBASE.test(code)) return FIREBASE;
  return ON_A_SERVER.test(code) ? SERVER : KIT;
}

/** File names contain the document's name, because the compiler's errors show them. */
function writeProject(owner: string, snippets: readonly Snippet[]): string {
  const folder = path.join(ROOT, owner, '.cache', 'snippets');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, { document, language, code }] of snippets.entries()) {
    const name = document.replace(/^packages\//, '').replace(/\.mdx?$/, '');
    writeFileSync(path.join(folder, `${name.replaceAll('/', '.')}.${index}.${language}`), code);
  }
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../../tsconfig.base.json',
      // A snippet may end with an expression to show its result.
      compilerOptions: {
        noUnusedLocals: false,
        lib: ['ES2024', 'DOM', 'DOM.Iterable'],
        types: owner === KIT ? [] : ['node'],
      },
      include: ['.'],
    }),
  );
  return folder;
}
