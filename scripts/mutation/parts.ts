const KIT = 'packages/early-access-kit';
const SERVER = 'packages/early-access-server';
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

/** In each store. */
const FOLDERS = ['analytics', 'campaigns', 'list', 'mail', 'people', 'webhooks'];

/** The analytics of generated histories, beside those that the application counts by itself. */
const ANALYTICS = [`${STORES}/sqlite/analytics/*.test.ts`];

/** Copies everything from SQLite to Postgres and compares it. */
const COPY_TEST = `${SERVER}/src/cli/copy.test.ts`;

/** What Stryker mutates. The Firestore rules are text; `rules.ts` mutates them. */
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
  ...storeParts('firestore', ['firestore'], FOLDERS),
];
