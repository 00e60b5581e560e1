/**
 * Copies guides that a package's README, messages and settings refer to from `docs/` into the package's own `docs`
 * folder. Runs in the package's folder before packing, so that readers have the pages of their version.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

const REPOSITORY = 'https://github.com/early-access-kit/early-access-kit/blob/main';
/** A page in a link or message, or the page of a setting. */
const NAMED = /(?:docs\/|document: ')([\w-]+\.md)(?!\w)/g;
const RELATIVE_LINK = /\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)/g;

const guides = new Set(
  globSync(['README.md', 'src/**/*.ts'], { exclude: ['**/*.test.ts'], withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => [...readFileSync(path.join(entry.parentPath, entry.name), 'utf8').matchAll(NAMED)])
    .map(([, page = '']) => page),
);
for (const earlier of globSync('docs/*.md')) rmSync(earlier);
mkdirSync('docs', { recursive: true });
for (const page of guides) {
  const text = readFileSync(path.join(ROOT, 'docs', page), 'utf8');
  writeFileSync(
    path.join('docs', page),
    text.replace(RELATIVE_LINK, (_, to: string, part = '') => `](${locate(to)}${part})`),
  );
}

/** Links to pages of the package stay relative. All others lead to the repository. */
function locate(target: string): string {
  return guides.has(target) ? target : `${REPOSITORY}/${path.posix.join('docs', target)}`;
}
