/** Builds and runs the site with the server and SQLite: `npm start`. */
import path from 'node:path';
import { applySiteBrand } from '@early-access-kit/testkit/site-settings';
import { ROOT } from '../run.ts';
import { buildCodeOrExit, SELF_HOSTED } from '../turbo.ts';

await buildCodeOrExit(SELF_HOSTED);
applySiteBrand();
process.env.SITE_DIR ??= path.join(ROOT, 'site/dist/client');
// Runs in this process, so that signals reach the server and no child process can outlive it.
await import(path.join(ROOT, 'packages/early-access-server/dist/cli.js'));
