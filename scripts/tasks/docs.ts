/** Updates API.md and the README's size table from the build, and the table of bench/README.md from the benchmark results: `npm run docs`. */
import { writeDocuments } from '../documents/documents.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
await writeDocuments();
