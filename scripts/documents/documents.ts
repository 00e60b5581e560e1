import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '../pack.ts';
import { ROOT } from '../run.ts';
import { apiReference } from './api-reference.ts';
import { withMeasurements } from './measured-table.ts';
import { withMutations } from './mutation-table.ts';
import { withSettings } from './settings-table.ts';
import { oversized, staleSizes, withSizes } from './size-table.ts';
import { measureSizes } from './sizes.ts';

const FOLDER = path.join(ROOT, KIT);
const API = path.join(FOLDER, 'API.md');
const README = path.join(FOLDER, 'README.md');
const SETTINGS = path.join(ROOT, 'docs/settings.md');
const BENCH_README = path.join(ROOT, 'bench/README.md');
const MUTATION = path.join(ROOT, 'docs/mutation.md');

/** Updates the generated parts of the package's documents, and the tables of settings and of benchmark results. */
export async function writeDocuments(): Promise<void> {
  writeFileSync(API, await apiReference(FOLDER));
  writeFileSync(README, withSizes(readFileSync(README, 'utf8'), await measureSizes()));
  writeFileSync(SETTINGS, withSettings(readFileSync(SETTINGS, 'utf8')));
  writeFileSync(BENCH_README, withMeasurements(readFileSync(BENCH_README, 'utf8')));
  writeFileSync(MUTATION, withMutations(readFileSync(MUTATION, 'utf8')));
}

/** Returns the differences between the documents and the built package, the list of settings or the benchmark results. */
export async function staleDocuments(): Promise<string[]> {
  const isCurrent = readFileSync(API, 'utf8') === (await apiReference(FOLDER));
  const api = isCurrent ? [] : ['API.md does not match the doc comments'];
  const readme = readFileSync(BENCH_README, 'utf8');
  const measured =
    readme === withMeasurements(readme) ? [] : ['bench/README.md has other figures than bench/results.json'];
  const settings = readFileSync(SETTINGS, 'utf8');
  const listed =
    settings === withSettings(settings) ? [] : ['docs/settings.md has other settings than cli/setting-list.ts'];
  const mutation = readFileSync(MUTATION, 'utf8');
  const tested =
    mutation === withMutations(mutation)
      ? []
      : ['docs/mutation.md has other figures than scripts/mutation/results.json'];
  return [...api, ...measured, ...listed, ...tested];
}

/** Returns exceeded size limits and outdated rows of the size table. */
export async function wrongSizes(): Promise<string[]> {
  const sizes = await measureSizes();
  return [...oversized(sizes), ...staleSizes(readFileSync(README, 'utf8'), sizes)];
}
