/** Checks that API.md matches the built package, and the tables of settings, browsers and benchmarks what they are made of. */
import { staleDocuments } from '../documents/documents.ts';

const stale = await staleDocuments();
for (const complaint of stale) console.error(complaint);
if (stale.length > 0) {
  console.error('`npm run docs` writes them anew.');
  process.exitCode = 1;
}
