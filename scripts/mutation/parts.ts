const KIT = 'packages/early-access-kit';
const SERVER = 'packages/early-access-server';
const FIREBASE = 'packages/early-access-firebase';
const APP = `${SERVER}/src/app`;
const STORES = `${SERVER}/src/stores`;

/** Source that is mutated in one run, and the tests that have to notice. Paths are from the root of the repository. */
export interface Part {
  readonly name: string;
  readonly folder: string;
  /** Globs. */
  readonly sources: readonly string[];
  /** Globs. Those in the folder run first. */
  readonly tests: readonly string[];
  /** Says what compiles. */
  readonly tsconfig: string;
}

/** Tests of the application as a whole: on its HTTP interface, over the SQLite store. */
const WHOLE = [`${SERVER}/src/http/**/*.test.ts`];

function appPart(folder: string, tests: readonly string[] = WHOLE): Part {
  const path = folder === '' ? APP : `${APP}/${folder}`;
  return {
    name: folder === '' ? 'app/root' : `app/${folder}`,
    folder: path,
    sources: [`${path}/*.ts`],
    tests: [`${APP}/**/*.test.ts`, ...tests],
    tsconfig: `${SERVER}/tsconfig.json`,
  };
}

/** A part for each folder of a store, so that none takes hours. `tests` are folders of stores, or files. */
function storeParts(store: string, tests: readonly string[], folders: readonly string[] = []): Part[] {
  return ['', ...folders].map((folder) => {
    const path = [STORES, store, folder].filter(Boolean).join('/');
    return {
      name: `stores/${store}/${folder || 'root'}`,
      folder: path,
      // The thread of the checkpoints has its own modules, in which Stryker cannot switch a change on.
      sources: [`${path}/*.ts`, '!**/checkpoint-thread.ts'],
      tests: tests.map((test) => (test.endsWith('.ts') ? test : `${STORES}/${test}/**/*.test.ts`)),
      tsconfig: `${SERVER}/tsconfig.json`,
    };
  });
}

function firestorePart(folder: string): Part {
  const path = [FIREBASE, 'src/firestore', folder].filter(Boolean).join('/');
  return {
    name: `firestore/${folder || 'root'}`,
    folder: path,
    sources: [`${path}/*.ts`],
    tests: [`${FIREBASE}/src/firestore/**/*.test.ts`],
    tsconfig: `${FIREBASE}/tsconfig.json`,
  };
}

/** In each store. */
const FOLDERS = ['analytics', 'campaigns', 'list', 'mail', 'people', 'webhooks'];

/** Tests that compare the analytics of generated histories with counts by the application. */
const ANALYTICS = [`${STORES}/sqlite/analytics/*.test.ts`];

/** Copies everything from SQLite to Postgres and compares it. */
const COPY_TEST = `${SERVER}/src/cli/copy.test.ts`;

/** The parts that Stryker mutates. The Firestore rules are text; `rules.ts` mutates them. */
export const PARTS: readonly Part[] = [
  {
    name: 'core',
    folder: `${KIT}/src/core`,
    sources: [`${KIT}/src/core/*.ts`],
    tests: [`${KIT}/src/{core,messages}/*.test.ts`, `${KIT}/src/adapters/memory.test.ts`],
    tsconfig: `${KIT}/tsconfig.json`,
  },
  ...['', 'access', 'admin', 'human', 'list', 'mail', 'webhooks'].map((folder) => appPart(folder)),
  appPart('analytics', ANALYTICS),
  ...storeParts('sqlite', ['sqlite', COPY_TEST], FOLDERS),
  ...storeParts('sql', ['sqlite', 'sql', COPY_TEST]),
  ...storeParts('postgres', ['postgres', COPY_TEST], FOLDERS),
  ...['', ...FOLDERS].map((folder) => firestorePart(folder)),
];
