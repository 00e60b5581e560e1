import path from 'node:path';
import { ROOT } from '../run.ts';
import { applySiteBrand } from '../site-brand.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

await buildOrExit(SELF_HOSTED);
applySiteBrand();
process.env.SITE_DIR ??= path.join(ROOT, 'site/dist/client');
// Runs in this process, so that signals reach the server and no child process can outlive it.
await import(path.join(ROOT, 'packages/early-access-server/dist/cli.js'));
