import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './links.ts';
import { FOLDER, type Page, readHome } from './pages.ts';

/** Writes the pages for VitePress: Markdown with front matter. */
export function writePages(pages: readonly Page[]): void {
  const { description, start, tasks } = readHome(pages);
  const matter = { title: 'Documentation', description, layout: 'page', aside: false, sidebar: false, editLink: false };
  const home = `<HomePage>\n<template #start>\n\n${start}\n\n</template>\n\n${tasks}\n\n</HomePage>\n`;
  const written = new Set([write('index', matter, home)]);
  for (const { path: name, title, description, source, markdown } of pages) {
    written.add(write(name, { title, description, source }, markdown));
  }
  for (const name of globSync('**/*.md', { cwd: path.join(ROOT, FOLDER) })) {
    if (!written.has(path.join(ROOT, FOLDER, name))) rmSync(path.join(ROOT, FOLDER, name));
  }
}

/** The front matter is JSON, which is valid YAML. */
function write(name: string, matter: object, markdown: string): string {
  const file = path.join(ROOT, FOLDER, `${name}.md`);
  mkdirSync(path.dirname(file), { recursive: true });
  const text = `---\n${JSON.stringify(matter)}\n---\n\n${markdown}`;
  // Unchanged files are not written, so that development only reloads edited pages.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  return file;
}
