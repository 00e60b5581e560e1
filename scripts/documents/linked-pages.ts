import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

const DOCUMENTS = [
  '*.md',
  'docs/**/*.md',
  'bench/README.md',
  '{packages,examples}/*/README.md',
  'packages/early-access-kit/docs/*.mdx',
];
const CODE = /^ *```.*?^ *```$|`[^`\n]+`/gms;
/** A link to a file of the repository, optionally with the fragment of a heading. */
const LINK = /\]\((?![a-z]+:|\?)([^)#\s]*)(?:#([^)\s]+))?\)/g;

/** Returns a complaint for each link to a missing file or heading, and for each page of `docs` without a link to it. */
export function brokenLinks(): string[] {
  const documents = globSync(DOCUMENTS, { cwd: ROOT, exclude: ['**/node_modules'] });
  const linked = new Set<string>();
  const broken = documents.flatMap((document) =>
    [...read(document).replaceAll(CODE, '').matchAll(LINK)].flatMap(([, target = '', heading]) => {
      const file = target === '' ? document : path.join(path.dirname(document), target);
      if (file !== document) linked.add(file);
      if (!existsSync(path.join(ROOT, file))) return [`${document} links to ${target}, which does not exist`];
      const isFound = heading === undefined || !/\.mdx?$/.test(file) || hasHeading(file, heading);
      return isFound ? [] : [`${document} links to #${heading}, which is no heading of ${file}`];
    }),
  );
  const orphans = documents.filter((document) => document.startsWith('docs') && !linked.has(document));
  return [...broken, ...orphans.map((document) => `no page links to ${document}`)];
}

function hasHeading(document: string, slug: string): boolean {
  const text = read(document).replaceAll(/^ *```.*?^ *```$/gms, '');
  const slugs = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return slugs.includes(slug) || text.includes(`<a id="${slug}"`);
}

function read(document: string): string {
  return readFileSync(path.join(ROOT, document), 'utf8');
}
