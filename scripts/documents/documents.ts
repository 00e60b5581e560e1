import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '../pack.ts';
import { ROOT } from '../run.ts';
import { apiReference } from './api-reference.ts';
import { withMeasurements } from './measured-table.ts';
import { oversized, staleSizes, withSizes } from './size-table.ts';
import { measureSizes } from './sizes.ts';

const FOLDER = path.join(ROOT, KIT);
const API = path.join(FOLDER, 'API.md');
const README = path.join(FOLDER, 'README.md');
const BENCH_README = path.join(ROOT, 'bench/README.md');

/** Writes what the package's documents say of the built package, and the table of what was measured. */
export async function writeDocuments(): Promise<void> {
  writeFileSync(API, await apiReference(FOLDER));
  writeFileSync(README, withSizes(readFileSync(README, 'utf8'), await measureSizes()));
  writeFileSync(BENCH_README, withMeasurements(readFileSync(BENCH_README, 'utf8')));
}

/** What the documents say otherwise than the built package is and the results of the benchmarks are. */
export async function staleDocuments(): Promise<string[]> {
  const isCurrent = readFileSync(API, 'utf8') === (await apiReference(FOLDER));
  const api = isCurrent ? [] : ['API.md does not match the doc comments'];
  const readme = readFileSync(BENCH_README, 'utf8');
  const measured =
    readme === withMeasurements(readme) ? [] : ['bench/README.md has other figures than bench/results.json'];
  return [...api, ...measured];
}

/** What is larger than it may be, and what the table of sizes says otherwise than was measured. */
export async function wrongSizes(): Promise<string[]> {
  const sizes = await measureSizes();
  return [...oversized(sizes), ...staleSizes(readFileSync(README, 'utf8'), sizes)];
}
