/**
 * Builds and runs the site: `npm start` with the server and SQLite, `npm run start:firebase` with Firestore and the functions on
 * firebase-tools' emulators, locally and without an account.
 */
import path from 'node:path';
import { applyEmulatorPorts, applySiteBrand } from '@early-access-kit/testkit/site-settings';
import { ROOT } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

const onFirebase = process.argv[2] === 'firebase';
if (onFirebase) await applyEmulatorPorts();
await buildOrExit(onFirebase ? ['site#build:demo', 'early-access-firebase#build'] : SELF_HOSTED);
applySiteBrand();
process.env.SITE_DIR ??= path.join(ROOT, onFirebase ? 'site/dist-emulator/client' : 'site/dist/client');
// Runs in this process, so that signals reach the server and no child process can outlive it.
await import(
  path.join(
    ROOT,
    onFirebase ? 'packages/early-access-firebase/src/local/main.ts' : 'packages/early-access-server/dist/cli.js',
  )
);
