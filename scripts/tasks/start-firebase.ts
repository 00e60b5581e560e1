/**
 * The site on Firestore with its functions, on this machine and without an account: `npm run start:firebase`. What answers in place
 * of Firestore is packages/firestore-fake, and what it holds is gone with the process.
 */
import path from 'node:path';
import { ROOT } from '../run.ts';
import { applySiteBrand } from '../site-brand.ts';
import { buildOrExit } from '../turbo.ts';

await buildOrExit(['site#build:emulator']);
applySiteBrand();
// In this very process, so that signals reach it and no child can outlive it.
await import(path.join(ROOT, 'packages/firebase/src/local/main.ts'));
