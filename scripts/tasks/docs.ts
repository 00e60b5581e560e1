/** Writes the package's API.md and the table of sizes in its README from what is built, and the README's from what was measured: `npm run docs`. */
import { writeDocuments } from '../documents/documents.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
await writeDocuments();
