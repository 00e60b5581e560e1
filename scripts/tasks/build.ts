import { copyFileSync, cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addOwnRules } from '../own-rules.ts';
import { ROOT } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

if (process.env.STORAGE === 'firestore') await buildForFirebase();
else await buildOrExit(SELF_HOSTED);

/**
 * Builds everything that is deployed to Firebase. `firebase.deploy.json` must be in the root, because its paths are relative to it. It is
 * separate from `firebase.json`, because it belongs to one project and one build.
 */
async function buildForFirebase(): Promise<void> {
  await buildOrExit(['@early-access-kit/firebase#build', 'site#build:firestore']);
  // PrintMargin's brand and emails, used by every project without its own settings.
  const functions = path.join(ROOT, 'packages/firebase/dist');
  copyFileSync(path.join(ROOT, 'site/brand.env'), path.join(functions, '.env'));
  cpSync(path.join(ROOT, 'site/mails'), path.join(functions, 'mails'), { recursive: true });
  // Parameter values of the functions. `firebase deploy` reads them from the code's folder, which a build empties.
  for (const file of globSync('.env.*', { cwd: path.join(ROOT, 'packages/firebase') })) {
    copyFileSync(path.join(ROOT, 'packages/firebase', file), path.join(functions, file));
  }
  const config: { firestore: { rules: string } } = JSON.parse(
    readFileSync(path.join(ROOT, 'site/dist-firestore/firebase.json'), 'utf8'),
  );
  config.firestore.rules = addOwnRules(functions, process.env) ?? config.firestore.rules;
  writeFileSync(path.join(ROOT, 'firebase.deploy.json'), `${JSON.stringify(config, null, 2)}\n`);
  console.error('Deploy with: firebase deploy --config firebase.deploy.json');
}
