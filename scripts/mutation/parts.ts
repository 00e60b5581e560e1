import { existsSync, globSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

const KIT = 'packages/early-access-kit';
const SERVER = 'packages/early-access-server';
const FIREBASE = 'packages/early-access-firebase';
const APP = `${SERVER}/src/app`;
const STORES = `${SERVER}/src/stores`;

/**
 * Sources that are mutated in one run, and the tests that must detect it. Paths are relative to the repository's root.
 */
export interface Part {
  readonly name: string;
  readonly folder: string;
  /** Globs. */
  readonly sources: readonly string[];
  /** Globs. Tests in the same folder run first. */
  readonly tests: readonly string[];
  /** The configuration for checking whether mutants compile. */
  readonly tsconfig: string;
}

/** Tests of the whole application: its HTTP interface with the SQLite store. */
const WHOLE = `${SERVER}/src/http/**/*.test.ts`;
/** Copies everything from SQLite to Postgres and compares the result. */
const COPY = `${SERVER}/src/cli/copy.test.ts`;

/**
 * One part per folder with sources below `root`, so that none takes hours. `tests` returns the globs for a folder,
 * given its path relative to `root`.
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
    // The checkpoint thread has its own modules, in which Stryker cannot activate a change.
    sources: [`${path.join(root, folder)}/*.ts`, '!**/{checkpoint-thread,*.fixture}.ts'],
    tests: tests(folder),
    tsconfig: `${tsconfig}/tsconfig.json`,
  }));
}

/** A store has its own tests. Code shared by stores is tested through SQLite. */
function storeParts(store: string): readonly Part[] {
  const tested = existsSync(path.join(ROOT, STORES, store, 'contract.test.ts')) ? [store] : [store, 'sqlite'];
  const tests = [...tested.map((name) => `${STORES}/${name}/**/*.test.ts`), COPY];
  return partsBelow(`${STORES}/${store}`, `stores/${store}`, SERVER, () => tests);
}

/**
 * Every folder with logic: of core, the application, the stores and the rules generator. `rules.ts` mutates the rules
 * themselves, because they are text.
 */
export const PARTS: readonly Part[] = [
  ...partsBelow(`${KIT}/src/core`, 'core', KIT, () => [
    `${KIT}/src/{core,messages}/**/*.test.ts`,
    `${KIT}/src/adapters/memory.test.ts`,
  ]),
  ...partsBelow(APP, 'app', SERVER, (folder) => [
    `${APP}/**/*.test.ts`,
    WHOLE,
    // Some of these tests compare generated histories with the application's counts.
    ...(folder === '.' ? [] : [`${STORES}/sqlite/${folder}/**/*.test.ts`]),
  ]),
  ...readdirSync(path.join(ROOT, STORES)).flatMap(storeParts),
  ...partsBelow(`${FIREBASE}/src/firestore`, 'firestore', FIREBASE, () => [`${FIREBASE}/src/firestore/**/*.test.ts`]),
  ...partsBelow(`${FIREBASE}/src/rules`, 'firestore/rules', FIREBASE, () => [`${FIREBASE}/src/rules/**/*.test.ts`]),
];
