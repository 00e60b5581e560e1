/** Writes the package's API.md and the table of sizes in its README from what is built: `npm run docs`. */
import { buildOrExit } from '../build.ts';
import { writeDocuments } from '../documents/documents.ts';

await buildOrExit('kit');
writeDocuments();
