/**
 * Builds and runs the site with Firestore and the functions on firebase-tools' emulators, locally and without an
 * account: `npm run start:firebase`.
 */
import path from 'node:path';
import { applyEmulatorPorts, applySiteBrand } from '@early-access-kit/testkit/site-settings';
import { ROOT } from '../run.ts';
import { buildOrExit } from '../turbo.ts';

await applyEmulatorPorts();
await buildOrExit(['site#build:demo', 'early-access-firebase#build']);
applySiteBrand();
process.env.SITE_DIR ??= path.join(ROOT, 'site/dist-emulator/client');
// Runs in this process for the same reason as `start.ts`.
await import(path.join(ROOT, 'packages/early-access-firebase/src/local/main.ts'));
