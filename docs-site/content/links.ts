import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const REPOSITORY = 'https://github.com/early-access-kit/early-access-kit';

export interface FileTarget {
  readonly kind: 'file';
  /** Path from the root of the repository. */
  readonly file: string;
  readonly hash: string;
}

/** The target of a document's link. */
export type Target = FileTarget | { readonly kind: 'story'; readonly query: string } | { readonly kind: 'other' };

const CODE = /(^ *```.*?^ *```$|``.+?``|`[^`]+`)/gms;
const LINK = /(?<=\]\()[^)\s]+(?=\))/g;
const OWN = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/`);

/** Replaces the targets of all links and images of a Markdown text, except in code. */
export function replaceLinks(markdown: string, replacement: (target: string) => string): string {
  return markdown
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(LINK, replacement)))
    .join('');
}

/** Throws if the target is a missing file of the repository. */
export function resolveLink(source: string, target: string): Target {
  if (target.startsWith('?path=')) return { kind: 'story', query: target };
  if (!OWN.test(target) && /^[a-z]+:/.test(target)) return { kind: 'other' };
  const [name = '', hash] = target.replace(OWN, '/').split('#');
  const file = name === '' ? source : path.posix.join(name.startsWith('/') ? '' : path.posix.dirname(source), name);
  const relative = file.replace(/^\/|\/$/g, '');
  if (!existsSync(path.join(ROOT, relative))) throw new Error(`${source} links to ${target}, which does not exist`);
  return { kind: 'file', file: relative, hash: hash === undefined ? '' : `#${hash}` };
}

/** Returns the URL of a file or folder on GitHub. */
export function urlInRepository(file: string): string {
  return `${REPOSITORY}/${statSync(path.join(ROOT, file)).isDirectory() ? 'tree' : 'blob'}/main/${file}`;
}

/** Returns GitHub's fragment of a heading, so that links to it work in the repository and on the site. */
export function makeSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}
