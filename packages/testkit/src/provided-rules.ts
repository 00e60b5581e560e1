import type {} from 'vitest';

/** Values exchanged between the mutation run of the Firestore rules and its setup file. */
declare module 'vitest' {
  interface ProvidedContext {
    /** Changed rules. Tests report those that decide differently. */
    watchedRules: readonly string[];
    /** Rules to test instead of the deployed ones. */
    testedRules: string | undefined;
  }
  interface TaskMeta {
    /** Indexes in `watchedRules` of the rules that decided differently. */
    decidesOtherwise?: readonly number[];
  }
}
