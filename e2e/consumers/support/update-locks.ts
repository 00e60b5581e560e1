/** Updates the lockfiles of all or the named examples. Run by `npm run task -- test:consumers --update-locks`. */
import { type Installation, updateLock } from './install.ts';
import { INSTALLATIONS } from './installations.ts';

const named = process.argv.slice(2);
for (const installation of Object.values<Installation>(INSTALLATIONS)) {
  if (named.length === 0 || named.includes(installation.example)) await updateLock(installation);
}
