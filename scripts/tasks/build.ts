import { buildAll, buildForFirebase } from '../build.ts';

if (process.env.STORAGE === 'firestore') await buildForFirebase();
else await buildAll();
