/**
 * Writes `API.md`, the API reference in Markdown, from the doc comments: one section per entry of the package's
 * `exports` with types. It is part of the package and of the documentation site.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expandEntries } from '@early-access-kit/testkit/entries';
import { Application } from 'typedoc';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const locateSource = (module: string) => `src/${module}.ts`;
const modules = Object.keys(expandEntries(exports, 'src'))
  .filter((entry) => entry !== './internal')
  .map((entry) => (entry === '.' ? 'index' : entry.slice('./'.length)))
  .filter((module) => existsSync(locateSource(module)));
const output = mkdtempSync(path.join(tmpdir(), 'api-reference-'));
try {
  const app = await Application.bootstrapWithPlugins({
    options: 'typedoc.json',
    entryPoints: modules.map(locateSource),
    outputs: [{ name: 'markdown', path: output }],
  });
  const project = await app.convert();
  if (project) await app.generateOutputs(project);
  if (!project || app.logger.hasErrors()) throw new Error('TypeDoc failed');
  const pages = modules.map((module) => readFileSync(path.join(output, `${module.replaceAll('/', '.')}.md`), 'utf8'));
  writeFileSync('API.md', pages.map(intoOneFile).join('\n'));
} finally {
  rmSync(output, { recursive: true, force: true });
}

/**
 * Turns TypeDoc's pages into one file. Links lead to headings of the same file, so a re-exported name must not have a
 * second heading. Sections that only repeat a return type are left out, and so are lines between entries, which have
 * headings. Examples may contain JSX.
 */
function intoOneFile(page: string): string {
  return page
    .replace(/^(# .+)\/index$/m, '$1')
    .replace(/^```ts$/gm, '```tsx')
    .replace(/\]\([\w.-]+\.md#/g, '](#')
    .replace(/^#+ Returns\n\n.+\n\n(?=#|\*\*\*)/gm, '')
    .replace(/^\*\*\*\n\n(?=#)/gm, '')
    .replace(/^### .+\n\n(?=Re-exports )/gm, '- ');
}
