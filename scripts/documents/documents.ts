import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '@early-access-kit/testkit/packages';
import { ROOT } from '../run.ts';
import { wrongEntryPoints } from './entry-points.ts';
import { withFigures } from './figures-table.ts';
import { brokenLinks } from './linked-pages.ts';
import { withMeasurements } from './measured-table.ts';
import { unknownCommands } from './named-commands.ts';
import { missingPlaces } from './named-places.ts';
import { unprovenPromises } from './named-tests.ts';
import { findOutdatedVersions, updateVersions } from './named-versions.ts';
import { describeNames, listEntries, undocumentedNames } from './public-names.ts';
import { oversized, staleSizes, withSizes } from './size-table.ts';
import { measureSizes } from './sizes.ts';
import { wrongLimits } from './stated-limits.ts';
import { unsafeWorkflows } from './workflows.ts';

const README = path.join(ROOT, KIT, 'README.md');
const BENCH = path.join(ROOT, 'bench/README.md');
const SCALE = path.join(ROOT, 'docs/scale.md');
const NAMES = path.join(ROOT, 'docs/public-names.md');

/**
 * `npm test -- documents` checks links, commands, figures and limits in documents; the table of benchmarks; versions in
 * files; the list of public names and their examples; the tests in the security model and the names in the tour; the
 * entry points in the kit's README; and that workflows pin actions and publish without
 * running tests. The argument `sizes` checks bundle sizes of Vite, webpack and esbuild against the limits, and the
 * table of sizes.
 */
if (import.meta.main) {
  const isOfSizes = process.argv[2] === 'sizes';
  const stale = isOfSizes ? await wrongSizes() : staleDocuments();
  const others = isOfSizes
    ? []
    : [
        ...unprovenPromises(),
        ...missingPlaces(),
        ...brokenLinks(),
        ...wrongLimits(),
        ...unknownCommands(),
        ...wrongEntryPoints(),
        ...undocumentedNames(listEntries()),
        ...unsafeWorkflows(),
      ];
  for (const complaint of [...stale, ...others]) console.error(complaint);
  if (stale.length > 0) console.error('Update them with: npm run docs');
  if (stale.length + others.length > 0) process.exitCode = 1;
}

/** Updates the generated parts of the package's documents, the table of benchmarks, and the versions in files. */
export async function writeDocuments(): Promise<void> {
  writeFileSync(README, withSizes(readFileSync(README, 'utf8'), await measureSizes()));
  writeFileSync(BENCH, withMeasurements(readFileSync(BENCH, 'utf8')));
  writeFileSync(SCALE, withFigures(readFileSync(SCALE, 'utf8')));
  writeFileSync(NAMES, describeNames(listEntries()));
  updateVersions();
}

/** Returns complaints if the table of benchmarks differs from the last run, or if files contain an outdated version. */
function staleDocuments(): string[] {
  const bench = readFileSync(BENCH, 'utf8');
  const scale = readFileSync(SCALE, 'utf8');
  return [
    ...(bench === withMeasurements(bench) ? [] : ['bench/README.md differs from bench/results.json']),
    ...(scale === withFigures(scale) ? [] : ['docs/scale.md differs from bench/results.json']),
    ...(readFileSync(NAMES, 'utf8') === describeNames(listEntries()) ? [] : ['docs/public-names.md is out of date']),
    ...findOutdatedVersions().map(({ file }) => `${file} names another version of the packages`),
  ];
}

/** Returns exceeded size limits and outdated rows of the size table. */
async function wrongSizes(): Promise<string[]> {
  const sizes = await measureSizes();
  return [...oversized(sizes), ...staleSizes(readFileSync(README, 'utf8'), sizes)];
}
