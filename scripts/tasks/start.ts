/**
 * Builds and runs the site: `npm start` with the server and SQLite, `npm run start:firebase` with Firestore and the functions, locally and
 * without an account. For that, packages/firestore-fake replaces Firestore and stores data in memory only.
 */
import path from 'node:path';
import { ROOT } from '../run.ts';
import { applySiteBrand } from '../site-settings.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

const onFirebase = process.argv[2] === 'firebase';
await buildOrExit(onFirebase ? ['site#build:emulator'] : SELF_HOSTED);
applySiteBrand();
// Runs in this process, so that signals reach the server and no child process can outlive it.
if (onFirebase) {
  await import(path.join(ROOT, 'packages/firebase/src/local/main.ts'));
} else {
  process.env.SITE_DIR ??= path.join(ROOT, 'site/dist/client');
  await import(path.join(ROOT, 'packages/early-access-server/dist/cli.js'));
}
