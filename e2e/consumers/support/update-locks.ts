/**
 * Updates the lockfiles of the examples, or of the named ones: `npm run task -- test:consumers --update-locks` runs
 * this.
 */
import { type Installation, updateLock } from './install.ts';
import { INSTALLATIONS } from './installations.ts';

const named = process.argv.slice(2);
for (const installation of Object.values<Installation>(INSTALLATIONS)) {
  if (named.length === 0 || named.includes(installation.example)) await updateLock(installation);
}
