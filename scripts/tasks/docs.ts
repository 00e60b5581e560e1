/** Updates API.md and the README's size table from the build, and the tables of docs/settings.md and bench/README.md: `npm run docs`. */
import { writeDocuments } from '../documents/documents.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
await writeDocuments();
