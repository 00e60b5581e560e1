import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeParameters } from '../functions-env.ts';
import { addOwnRules } from '../own-rules.ts';
import { ROOT } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

if (process.env.STORAGE === 'firestore') await buildForFirebase(process.env);
else await buildOrExit(SELF_HOSTED);

/**
 * Builds everything that is deployed to Firebase. `firebase.deploy.json` must be in the root, because its paths are relative to it. It is
 * separate from `firebase.json`, because it belongs to one project and one build.
 */
async function buildForFirebase(env: NodeJS.ProcessEnv): Promise<void> {
  await buildOrExit(['early-access-firebase#build', 'site#build:firestore']);
  const firebase = path.join(ROOT, 'packages/early-access-firebase');
  const functions = path.join(firebase, 'dist-functions');
  const missing = writeParameters(functions, firebase, env);
  const config: { firestore: { rules: string; database?: string } } = JSON.parse(
    readFileSync(path.join(ROOT, 'site/dist-firestore/firebase.json'), 'utf8'),
  );
  config.firestore.rules = addOwnRules(functions, env) ?? config.firestore.rules;
  if (env.DATABASE_ID) config.firestore.database = env.DATABASE_ID;
  writeFileSync(path.join(ROOT, 'firebase.deploy.json'), `${JSON.stringify(config, null, 2)}\n`);
  if (missing.length > 0)
    console.error(`Set ${missing.join(' and ')} in packages/early-access-firebase/.env.<project id>, and build again.`);
  else console.error('Deploy with: firebase deploy --config firebase.deploy.json');
}
