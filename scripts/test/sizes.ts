/** Checks what Vite, webpack and esbuild make a page load against the limits, and the table of sizes against what was measured. */
import { wrongSizes } from '../documents/documents.ts';

const complaints = await wrongSizes();
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) {
  console.error('`npm run docs` writes the table anew.');
  process.exitCode = 1;
}
