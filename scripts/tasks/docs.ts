/** Updates API.md and the README's size table from the build, and the tables of settings, browsers and benchmarks: `npm run docs`. */
import { writeDocuments } from '../documents/documents.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['early-access-kit#build']);
await writeDocuments();
