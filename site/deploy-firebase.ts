import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeParameters } from './build/functions-env.ts';
import { addOwnRules } from './build/own-rules.ts';

/**
 * Completes the files for a deployment to Firebase, once the functions and the site for Firestore are built.
 * `firebase.deploy.json` must be in the root, because its paths are relative to it. It is separate from
 * `firebase.json`, because it is specific to one project and one build.
 */
const ROOT = path.resolve(import.meta.dirname, '..');
const { env } = process;
const firebase = path.join(ROOT, 'packages/early-access-firebase');
const functions = path.join(firebase, 'dist-functions');
const missing = writeParameters(functions, firebase, env);
const config: { firestore: { rules: string; database?: string } } = JSON.parse(
  readFileSync(path.join(ROOT, 'site/dist-firestore/firebase.json'), 'utf8'),
);
config.firestore.rules = addOwnRules(functions, env) ?? config.firestore.rules;
if (env.DATABASE_ID) config.firestore.database = env.DATABASE_ID;
writeFileSync(path.join(ROOT, 'firebase.deploy.json'), `${JSON.stringify(config, null, 2)}\n`);
const advice =
  missing.length > 0
    ? `Set ${missing.join(' and ')} in packages/early-access-firebase/.env.<project id>, and build again.`
    : 'Deploy with: firebase deploy --config firebase.deploy.json';
process.stderr.write(`${advice}\n`);
