import { existsSync, globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { testsWithPrograms } from '@early-access-kit/testkit/tests-with-programs';
import { ROOT } from '../run.ts';

const KIT = 'packages/early-access-kit';
const SERVER = 'packages/early-access-server';
const FIREBASE = 'packages/early-access-firebase';
const APP = `${SERVER}/src/app`;
const STORES = `${SERVER}/src/stores`;

/** The sources of one folder, which have a row in the table of results. */
export interface Part {
  readonly name: string;
  /** Relative to the repository's root, as are the globs. */
  readonly folder: string;
}

/** Parts with the same tests. They are mutated in one run, because it takes minutes to try their tests once. */
export interface Group {
  readonly name: string;
  readonly parts: readonly Part[];
  /** Globs. Tests in the folder of a part run first. */
  readonly tests: readonly string[];
  /** The configuration for checking whether mutants compile. */
  readonly tsconfig: string;
}

/** Tests of the whole application with the SQLite store, without its commands. */
const WHOLE = testFiles(`${SERVER}/src/{app,dns,http,mail,settings,webhooks,stores/sqlite}/**/*.test.ts`);
/** Copies everything from SQLite to Postgres and compares the result. */
const COPY = `${SERVER}/src/cli/copy.test.ts`;

/** The matching tests without those that start programs, which are not mutated and take much of the time. */
function testFiles(glob: string): readonly string[] {
  const others = testsWithPrograms();
  return globSync(glob, { cwd: ROOT }).filter((file) => !others.includes(file));
}

/** A group with one part per folder with sources below `root`. */
function groupBelow(root: string, name: string, tsconfig: string, tests: readonly string[]): Group {
  const sources = globSync('**/*.ts', { cwd: path.join(ROOT, root), exclude: ['**/*.{test,fixture}.ts'] });
  const folders = [...new Set(sources.map((file) => path.dirname(file)))].toSorted();
  const parts = folders.map((folder) => ({
    name: `${name}/${folder === '.' ? 'root' : folder}`,
    folder: path.join(root, folder),
  }));
  return { name, parts, tests, tsconfig: `${tsconfig}/tsconfig.json` };
}

/** A store has its own tests. Code shared by stores is tested through SQLite. */
function storeGroup(store: string): Group {
  const tested = existsSync(path.join(ROOT, STORES, store, 'contract.test.ts')) ? [store] : [store, 'sqlite'];
  const tests = [...tested.map((name) => `${STORES}/${name}/**/*.test.ts`), COPY];
  return groupBelow(`${STORES}/${store}`, `stores/${store}`, SERVER, tests);
}

/**
 * Every folder with logic: of core, the application, the stores and the rules generator. `rules.ts` mutates the rules
 * themselves, because they are text.
 */
export const GROUPS: readonly Group[] = [
  groupBelow(`${KIT}/src/core`, 'core', KIT, [
    `${KIT}/src/{core,messages}/**/*.test.ts`,
    `${KIT}/src/adapters/memory.test.ts`,
  ]),
  groupBelow(APP, 'app', SERVER, WHOLE),
  ...readdirSync(path.join(ROOT, STORES)).map(storeGroup),
  groupBelow(`${FIREBASE}/src/firestore`, 'firestore', FIREBASE, [`${FIREBASE}/src/firestore/**/*.test.ts`]),
  groupBelow(`${FIREBASE}/src/rules`, 'firestore/rules', FIREBASE, [`${FIREBASE}/src/rules/**/*.test.ts`]),
];
