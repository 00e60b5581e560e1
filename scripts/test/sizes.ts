/** Checks the bundle sizes of Vite, webpack and esbuild against the limits, and the size table against the measured sizes. */
import { wrongSizes } from '../documents/documents.ts';

const complaints = await wrongSizes();
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) {
  console.error('`npm run docs` writes the table anew.');
  process.exitCode = 1;
}
