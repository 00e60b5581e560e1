/**
 * Runs the site with Firestore and the functions locally, without an account: `npm run start:firebase`. packages/firestore-fake replaces
 * Firestore and stores data in memory only.
 */
import path from 'node:path';
import { ROOT } from '../run.ts';
import { applySiteBrand } from '../site-brand.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['site#build:emulator']);
applySiteBrand();
// Runs in this process, so that signals reach it and no child process can outlive it.
await import(path.join(ROOT, 'packages/firebase/src/local/main.ts'));
