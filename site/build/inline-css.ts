import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const STYLESHEET = /\s*<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/g;

/** Inlines the stylesheets that a page links to, so that the first paint does not wait for them. */
export function inlineStylesheets(html: string, folder: string): { html: string; files: readonly string[] } {
  const files = [...html.matchAll(STYLESHEET)].map(([, href = '']) => path.join(folder, href));
  if (files.length === 0) throw new Error('the page links to no stylesheet');
  const css = files.map((file) => readFileSync(file, 'utf8').trim()).join('\n');
  if (/<\/style/i.test(css)) throw new Error('a stylesheet would end its style element');
  const inlined = html.replace(STYLESHEET, '').replace('</head>', () => `  <style>${css}</style>\n  </head>`);
  return { html: inlined, files };
}

export function removeFiles(files: readonly string[]): void {
  for (const file of files) rmSync(file);
}
