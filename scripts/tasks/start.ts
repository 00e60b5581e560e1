import path from 'node:path';
import { buildAll } from '../build.ts';
import { ROOT } from '../run.ts';

await buildAll();
// In this very process, so that signals reach the server and no child can outlive it.
await import(path.join(ROOT, 'packages/server/dist/main.js'));
