import { runOrExit } from '../run.ts';
import { buildOrExit, SELF_HOSTED } from '../turbo.ts';

if (process.env.STORAGE === 'firestore') {
  await buildOrExit(['early-access-firebase#build', 'site#build:firestore']);
  await runOrExit('node', ['site/deploy-firebase.ts'], { live: true });
} else await buildOrExit(SELF_HOSTED);
