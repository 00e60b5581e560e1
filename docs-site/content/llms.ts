import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseCustomProperties } from '../../packages/early-access-kit/docs/custom-properties.ts';
import { NAVIGATION } from '../navigation.ts';
import { ROOT, replaceLinks } from './links.ts';
import type { Page } from './pages.ts';

const INTRODUCTION = `# early-access-kit

> Early-access signup form, session tracker without cookies and hidden admin overlay for web pages, with a self-hosted server, a dashboard and
> emails behind them. Widgets for React and as custom elements; stores: SQLite, Postgres, Firestore, or a database of your own.
`;

/**
 * Writes the site's files for language models: each page as Markdown beside its HTML, `llms.txt` with a link to each of
 * them (https://llmstxt.org), and `llms-full.txt` with all of them.
 */
export function writeForModels(pages: readonly Page[], folder: string, address: string): void {
  const texts = pages.map((page) => ({ ...page, text: renderText(page, address) }));
  for (const { path: name, text } of texts) {
    const file = path.join(folder, `${name}.md`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const names = [...NAVIGATION.map(({ text, places }) => ({ text, paths: places.map(({ path }) => path) }))];
  const listed = new Set(names.flatMap(({ paths }) => paths));
  const reference = pages.filter(({ path }) => !listed.has(path)).map(({ path }) => path);
  const sections = [...names, { text: 'API reference', paths: reference }].map(({ text, paths }) => {
    const lines = pages
      .filter(({ path }) => paths.includes(path))
      .map((page) => `- [${page.title}](${address}${page.path}.md): ${page.description}`);
    return `## ${text}\n\n${lines.join('\n')}\n`;
  });
  writeFileSync(path.join(folder, 'llms.txt'), [INTRODUCTION, ...sections].join('\n'));
  writeFileSync(path.join(folder, 'llms-full.txt'), [INTRODUCTION, ...texts.map(({ text }) => text)].join('\n\n'));
}

/** Returns a page as plain Markdown: links lead to Markdown pages, and live parts are replaced by their content. */
function renderText({ markdown }: Page, address: string): string {
  const linked = replaceLinks(markdown, (target) => target.replace(/^\/([^#?]+)/, `${address}$1.md`));
  return linked.replace('<CustomPropertiesTable />', customProperties).replace(/^<\w+ \/>\n/gm, '');
}

function customProperties(): string {
  const css = readFileSync(path.join(ROOT, 'packages/early-access-kit/src/theme.css'), 'utf8');
  return parseCustomProperties(css)
    .map(({ name, meaning, fallback }) => `- \`${name}\`: ${meaning} Default: \`${fallback}\``)
    .join('\n');
}
