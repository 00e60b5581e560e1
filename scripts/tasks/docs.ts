/** Writes the package's API.md and the table of sizes in its README from what is built, and the table of bench/README.md from what was measured: `npm run docs`. */
import { writeDocuments } from '../documents/documents.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
await writeDocuments();
