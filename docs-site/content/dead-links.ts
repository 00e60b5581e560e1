import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { STORYBOOK } from './pages.ts';

/** An origin that no page links to. */
const HERE = 'https://site.invalid';
const ID = / id="([^"]+)"/g;
const REFERENCE = / (?:href|src)="([^"]+)"/g;

/**
 * Returns broken links and assets of the built pages, including fragments. Links to stories are checked with the built
 * Storybook, in `e2e/storybook`.
 */
export function deadLinks(folder: string, base: string): string[] {
  const pages = globSync('**/*.html', { cwd: folder }).map((name) => {
    const html = readFileSync(path.join(folder, name), 'utf8');
    return {
      name: name.split(path.sep).join('/'),
      ids: new Set(matches(html, ID)),
      links: new Set(matches(html, REFERENCE)),
    };
  });
  const idsOf = new Map(pages.map(({ name, ids }) => [name, ids]));
  return pages.flatMap(({ name, links }) =>
    [...links].filter((link) => isDead(link, name)).map((link) => `${name}: ${link}`),
  );

  function isDead(link: string, from: string): boolean {
    const { origin, pathname, hash } = new URL(link, `${HERE}${base}${from}`);
    if (origin !== HERE) return false;
    if (!pathname.startsWith(base)) return true;
    const file = decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
    if (file.startsWith(STORYBOOK)) return false;
    const ids = idsOf.get(file);
    if (ids === undefined) return !existsSync(path.join(folder, file));
    return hash !== '' && !ids.has(decodeURIComponent(hash.slice(1)));
  }
}

function matches(html: string, expression: RegExp): string[] {
  return [...html.matchAll(expression)].map(([, found = '']) => found.replaceAll('&amp;', '&'));
}
