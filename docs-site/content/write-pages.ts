import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NAVIGATION } from '../navigation.ts';
import { ROOT } from './links.ts';
import { FOLDER, type Page } from './pages.ts';

/** Writes the pages as VitePress reads them: Markdown with front matter. */
export function writePages(pages: readonly Page[]): void {
  const written = new Set([write('index', home(pages), '<HomePage />\n')]);
  for (const { path: name, title, description, source, markdown } of pages) {
    written.add(write(name, { title, description, source }, markdown));
  }
  for (const name of globSync('**/*.md', { cwd: path.join(ROOT, FOLDER) })) {
    if (!written.has(path.join(ROOT, FOLDER, name))) rmSync(path.join(ROOT, FOLDER, name));
  }
}

/** The content of `HomePage`: the introduction of README.md, and every page with its description. */
function home(pages: readonly Page[]): object {
  const [, introduction = ''] = readFileSync(path.join(ROOT, 'README.md'), 'utf8').split('\n\n');
  const pageAt = new Map(pages.map((page) => [page.path, page]));
  const sections = NAVIGATION.map(({ text, places }) => ({
    text,
    pages: places.map(({ text, path }) => ({ text, link: `/${path}`, description: pageAt.get(path)?.description })),
  }));
  const description = introduction.replaceAll('\n', ' ');
  return {
    title: 'Documentation',
    description,
    layout: 'page',
    aside: false,
    sidebar: false,
    editLink: false,
    sections,
  };
}

/** JSON is YAML. */
function write(name: string, matter: object, markdown: string): string {
  const file = path.join(ROOT, FOLDER, `${name}.md`);
  mkdirSync(path.dirname(file), { recursive: true });
  const text = `---\n${JSON.stringify(matter)}\n---\n\n${markdown}`;
  // An unchanged file is left alone, so that development reloads only what was edited.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  return file;
}
