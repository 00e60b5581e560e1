/** Checks that API.md matches the built package, docs/settings.md the list of settings and bench/README.md the benchmark results. */
import { staleDocuments } from '../documents/documents.ts';

const stale = await staleDocuments();
for (const complaint of stale) console.error(complaint);
if (stale.length > 0) {
  console.error('`npm run docs` writes them anew.');
  process.exitCode = 1;
}
