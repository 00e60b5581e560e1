import type {} from 'vitest';

/** The values that the mutation run of the Firestore rules and its setup file exchange. */
declare module 'vitest' {
  interface ProvidedContext {
    /** Changed rules. The tests report which of them decide differently in a test. */
    watchedRules: readonly string[];
    /** Rules to test instead of the deployed ones. */
    testedRules: string | undefined;
  }
  interface TaskMeta {
    /** Indexes in `watchedRules`. */
    decidesOtherwise?: readonly number[];
  }
}
