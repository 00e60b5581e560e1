/** Writes the package's API.md and the table of sizes in its README from what is built, and the README's from what was measured: `npm run docs`. */
import { buildOrExit } from '../build.ts';
import { writeDocuments } from '../documents/documents.ts';

await buildOrExit('kit');
await writeDocuments();
