/** Checks that the package's API.md is that of the built package, and the figures of bench/README.md those of the benchmarks. */
import { staleDocuments } from '../documents/documents.ts';

const stale = await staleDocuments();
for (const complaint of stale) console.error(complaint);
if (stale.length > 0) {
  console.error('`npm run docs` writes them anew.');
  process.exitCode = 1;
}
