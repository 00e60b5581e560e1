export { type LocalFirebase, type LocalFirebaseOptions, startLocalFirebase } from './local-firebase.ts';
