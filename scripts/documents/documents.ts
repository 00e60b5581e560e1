import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readMeasured } from '../../e2e/engines/support/measured.ts';
import { SETTING_LIST } from '../../packages/early-access-server/src/cli/setting-list.ts';
import { KIT } from '../pack.ts';
import { ROOT } from '../run.ts';
import { apiReference } from './api-reference.ts';
import { withMeasurements } from './measured-table.ts';
import { unprovenPromises } from './named-tests.ts';
import { oversized, staleSizes, withSizes } from './size-table.ts';
import { measureSizes } from './sizes.ts';
import { markdownTable, withTable } from './table.ts';

const FOLDER = path.join(ROOT, KIT);
const API = path.join(FOLDER, 'API.md');
const README = path.join(FOLDER, 'README.md');

/** Documents with a generated table: what makes it, and what to say if the document has another one. */
const TABLES = [
  {
    file: 'docs/settings.md',
    update: withSettings,
    complaint: 'docs/settings.md has other settings than cli/setting-list.ts',
  },
  {
    file: 'docs/browsers.md',
    update: withBrowsers,
    complaint: 'docs/browsers.md has other findings than e2e/engines/measured.json',
  },
  {
    file: 'bench/README.md',
    update: withMeasurements,
    complaint: 'bench/README.md has other figures than bench/results.json',
  },
];

/**
 * `npm run documents` checks what documents say about the built package: API.md, and the tables of settings, browsers and benchmarks; and
 * that SECURITY.md names tests. The argument `sizes` checks bundle sizes of Vite, webpack and esbuild against the limits, and the table of sizes.
 */
if (import.meta.main) {
  const isOfSizes = process.argv[2] === 'sizes';
  const stale = isOfSizes ? await wrongSizes() : await staleDocuments();
  const unproven = isOfSizes ? [] : unprovenPromises();
  for (const complaint of [...stale, ...unproven]) console.error(complaint);
  if (stale.length > 0) console.error('`npm run docs` writes them anew.');
  if (stale.length + unproven.length > 0) process.exitCode = 1;
}

/** Updates the generated parts of the package's documents, and the tables of other documents. */
export async function writeDocuments(): Promise<void> {
  writeFileSync(API, await apiReference(FOLDER));
  writeFileSync(README, withSizes(readFileSync(README, 'utf8'), await measureSizes()));
  for (const { file, update } of TABLES) writeFileSync(path.join(ROOT, file), update(read(file)));
}

/** Returns the differences between the documents and what they are made of. */
async function staleDocuments(): Promise<string[]> {
  const isCurrent = readFileSync(API, 'utf8') === (await apiReference(FOLDER));
  const api = isCurrent ? [] : ['API.md does not match the doc comments'];
  const stale = TABLES.filter(({ file, update }) => read(file) !== update(read(file)));
  return [...api, ...stale.map(({ complaint }) => complaint)];
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Returns exceeded size limits and outdated rows of the size table. */
async function wrongSizes(): Promise<string[]> {
  const sizes = await measureSizes();
  return [...oversized(sizes), ...staleSizes(readFileSync(README, 'utf8'), sizes)];
}

/** The table of the list that `--help` and `init` are made of. */
function withSettings(document: string): string {
  const rows = SETTING_LIST.map((setting) => [
    `\`${setting.name}\``,
    setting.options.fallback,
    meaningOf(setting.options),
  ]);
  return withTable(document, markdownTable([['variable', 'default', 'meaning'], ...rows], 'left'), 'settings');
}

function meaningOf({ meaning, document }: (typeof SETTING_LIST)[number]['options']): string {
  if (document === undefined) return meaning;
  const target = document.replace(/^settings\.md(?=#)/, '');
  const text = target.startsWith('#') ? 'below' : document.replace(/#.*/, '');
  return `${meaning}, see [${text}](${target})`;
}

/** The table of what `npm run test:engines` measured. */
function withBrowsers(document: string): string {
  const { versions, flows } = readMeasured();
  const browsers = Object.keys(versions).sort();
  const head = ['flow', ...browsers.map((name) => `${name} ${versions[name]}`)];
  const rows = Object.entries(flows).map(([flow, found]) => [flow, ...browsers.map((name) => found[name] ?? '–')]);
  return withTable(document, markdownTable([head, ...rows], 'left'), 'browsers');
}
