import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { API_REFERENCE, demandPlaces, NAVIGATION, type Place } from '../navigation.ts';
import { type FileTarget, makeSlug, ROOT, replaceLinks, resolveLink, urlInRepository } from './links.ts';

export interface Page extends Place {
  readonly title: string;
  /** The first paragraph as plain text, for search engines and llms.txt. */
  readonly description: string;
  /** Links to pages are absolute paths without an extension. Links to other files of the repository lead to GitHub. */
  readonly markdown: string;
}

/** Storybook's path on the site. `npm run docs -- build` puts it beside the pages. */
export const STORYBOOK = 'storybook/';

const TITLE = /^# (.+)$/m;
/** Search engines truncate longer descriptions. */
const LONGEST_DESCRIPTION = 160;

/**
 * Returns all pages except the home page. Throws if a page of `docs/` is not in the navigation or has a broken link.
 */
export function readPages(): Page[] {
  demandPlaces(globSync('docs/**/*.md', { cwd: ROOT }).map((file) => file.split(path.sep).join('/')));
  const written = NAVIGATION.flatMap(({ places }) => places).map((place) => ({
    ...place,
    markdown: read(place.source),
  }));
  const reference = apiReference();
  const pathOf = new Map(written.map((page) => [page.source, page.path]));
  const anchors = reference.map(({ path, markdown }) => ({ path, names: collectAnchors(markdown) }));

  const resolveTarget = (page: Place, target: string): string => {
    const resolved = resolveLink(page.source, target);
    if (resolved.kind === 'other') return target;
    if (resolved.kind === 'story') return storyTarget(resolved.query, pathOf);
    const { file, hash } = resolved;
    if (file === API_REFERENCE) {
      const holders = anchors.filter(({ names }) => names.has(hash.slice(1))).map(({ path }) => path);
      const own = holders.includes(page.path) ? page.path : (holders[0] ?? reference[0]?.path);
      return `/${own}${hash}`;
    }
    if (file === page.source) return hash;
    if (/\.(png|svg)$/.test(file)) return path.posix.relative(path.posix.dirname(`${FOLDER}/${page.path}`), file);
    return toSite(resolved, pathOf);
  };
  return [...written, ...reference].map((page) => {
    const markdown = replaceLinks(page.markdown, (target) => resolveTarget(page, target));
    return { ...page, markdown, title: readTitle(markdown), description: readDescription(markdown) };
  });
}

const START = 'npm create early-access';

/**
 * Returns the parts of README.md for the home page, as Markdown: the start, and the tasks, linked to the site's pages.
 */
export function readHome(pages: readonly Page[]): { description: string; start: string; tasks: string } {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
  const [, introduction = ''] = readme.split('\n\n');
  const [tasks = ''] = /^## What do you want to do\?\n\n.*?(?=\n\n## )/ms.exec(readme) ?? [];
  if (tasks === '' || !readme.includes(START)) throw new Error('README.md has no tasks or no command to start with');
  const pathOf = new Map(pages.map((page) => [page.source, page.path]));
  return {
    description: introduction.replaceAll('\n', ' '),
    start: `## Get started\n\n\`\`\`sh\n${START}\n\`\`\``,
    tasks: replaceLinks(tasks, (target) => {
      const resolved = resolveLink('README.md', target);
      return resolved.kind === 'file' ? toSite(resolved, pathOf) : target;
    }),
  };
}

/** The folder of the pages that VitePress reads, from the root of the repository. */
export const FOLDER = 'docs-site/.cache/pages';

/** Returns the pages of the API reference: one for each entry point that exports names. */
function apiReference(): (Place & { markdown: string })[] {
  const modules = readFileSync(path.join(ROOT, API_REFERENCE), 'utf8').split(/^(?=# )/m);
  return modules.map((markdown) => {
    const text = readTitle(markdown);
    return { source: API_REFERENCE, text, path: `reference/${text.replaceAll('/', '-')}`, markdown };
  });
}

/** Returns a file's Markdown. Imports and metadata of MDX pages, which only Storybook understands, are removed. */
function read(source: string): string {
  const text = readFileSync(path.join(ROOT, source), 'utf8').replaceAll(/^<!--.*?-->\n/gm, '');
  if (!source.endsWith('.mdx')) return text;
  return text
    .replace(/^(import .+\n)+/, '')
    .replace(/^<Meta .+\n/m, '')
    .trimStart();
}

/** Returns the site's page for a link to a file; if there is none, the file on GitHub. */
function toSite({ file, hash }: FileTarget, pathOf: ReadonlyMap<string, string>): string {
  const own = pathOf.get(file);
  return `${own === undefined ? urlInRepository(file) : `/${own}`}${hash}`;
}

function storyTarget(query: string, pathOf: ReadonlyMap<string, string>): string {
  const guide = /^\?path=\/docs\/guide-(.+)--docs$/.exec(query)?.[1];
  const page = pathOf.get(`packages/early-access-kit/docs/${guide}.mdx`);
  return page === undefined ? `/${STORYBOOK}${query}` : `/${page}`;
}

function readTitle(markdown: string): string {
  return plain(TITLE.exec(markdown)?.[1] ?? '');
}

function readDescription(markdown: string): string {
  const paragraphs = markdown.split(/\n{2,}/).filter((part) => /^[A-Z`*[]/.test(part));
  const text = plain(paragraphs[0] ?? readTitle(markdown));
  if (text.length <= LONGEST_DESCRIPTION) return text;
  const sentences = text.slice(0, LONGEST_DESCRIPTION).match(/^.*\.(?= )/)?.[0];
  return sentences ?? `${text.slice(0, LONGEST_DESCRIPTION).replace(/\s+\S*$/, '')} …`;
}

/** Returns text without Markdown syntax. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>|[`*\\]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the fragments of all headings and properties of a Markdown text. */
function collectAnchors(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => makeSlug(plain(heading)));
  return new Set([...headings, ...[...markdown.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)]);
}
