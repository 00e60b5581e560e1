import { existsSync, globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

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
const WHOLE = `${SERVER}/src/http/**/*.test.ts`;
/** Copies everything from SQLite to Postgres and compares it. */
const COPY = `${SERVER}/src/cli/copy.test.ts`;

/**
 * A part for each folder with source below `root`, so that none takes hours. `tests` returns the globs for a folder, by
 * its path from there.
 */
function partsBelow(
  root: string,
  name: string,
  tsconfig: string,
  tests: (folder: string) => readonly string[],
): readonly Part[] {
  const sources = globSync('**/*.ts', { cwd: path.join(ROOT, root), exclude: ['**/*.{test,fixture}.ts'] });
  return [...new Set(sources.map((file) => path.dirname(file)))].toSorted().map((folder) => ({
    name: `${name}/${folder === '.' ? 'root' : folder}`,
    folder: path.join(root, folder),
    // The thread of the checkpoints has its own modules, in which Stryker cannot switch a change on.
    sources: [`${path.join(root, folder)}/*.ts`, '!**/{checkpoint-thread,*.fixture}.ts'],
    tests: tests(folder),
    tsconfig: `${tsconfig}/tsconfig.json`,
  }));
}

/** A store is tested by its own tests. Code that stores share is tested through SQLite. */
function storeParts(store: string): readonly Part[] {
  const tested = existsSync(path.join(ROOT, STORES, store, 'contract.test.ts')) ? [store] : [store, 'sqlite'];
  const tests = [...tested.map((name) => `${STORES}/${name}/**/*.test.ts`), COPY];
  return partsBelow(`${STORES}/${store}`, `stores/${store}`, SERVER, () => tests);
}

/**
 * Every folder with decisions: of core, the application, the stores and the generator of rules. `rules.ts` mutates the
 * rules, which are text.
 */
export const PARTS: readonly Part[] = [
  ...partsBelow(`${KIT}/src/core`, 'core', KIT, () => [
    `${KIT}/src/{core,messages}/**/*.test.ts`,
    `${KIT}/src/adapters/memory.test.ts`,
  ]),
  ...partsBelow(APP, 'app', SERVER, (folder) => [
    `${APP}/**/*.test.ts`,
    WHOLE,
    // Some compare generated histories with counts by the application.
    ...(folder === '.' ? [] : [`${STORES}/sqlite/${folder}/**/*.test.ts`]),
  ]),
  ...readdirSync(path.join(ROOT, STORES)).flatMap(storeParts),
  ...partsBelow(`${FIREBASE}/src/firestore`, 'firestore', FIREBASE, () => [`${FIREBASE}/src/firestore/**/*.test.ts`]),
  ...partsBelow(`${FIREBASE}/src/rules`, 'firestore/rules', FIREBASE, () => [`${FIREBASE}/src/rules/**/*.test.ts`]),
];
