/**
 * Checks what documents say about the built package: API.md, and the tables of settings, browsers and benchmarks. With the argument `sizes`:
 * the bundle sizes of Vite, webpack and esbuild against the limits, and the table of sizes.
 */
import { staleDocuments, wrongSizes } from '../documents/documents.ts';

const complaints = process.argv[2] === 'sizes' ? await wrongSizes() : await staleDocuments();
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) {
  console.error('`npm run docs` writes them anew.');
  process.exitCode = 1;
}
