import { readFileSync } from 'node:fs';
import path from 'node:path';
import { INDEXES_FILE, MANIFEST_FILE } from '../package-files.ts';
import { findOpenRules } from '../rules/open-rules.ts';
import { firebaseJson, firestoreFiles, mergeFirebaseJson, mergeIndexes, type ProjectOptions } from './firebase-json.ts';
import { addMissing, type JsonObject } from './json.ts';

/** A file that `init` writes. */
export interface ProjectFile {
  /** Path in the project, with slashes. */
  readonly name: string;
  readonly content: string;
  /** Adds what an existing JSON file lacks. Without it, existing files are compared as text. */
  readonly merge?: (theirs: JsonObject) => JsonObject;
  /** The project's own settings, which are neither compared nor shown. */
  readonly isOwn?: boolean;
  /** Describes existing rules that let others access our data. */
  readonly findOpen?: (theirs: string) => readonly string[];
}

const INDEX = `/** The functions of early-access-firebase. Their settings are the parameters in .env and the secrets in Secret Manager. */
export { accept, admin, links, mail, read, roll, send, submit, sweep } from 'early-access-firebase/functions';
`;

const GITIGNORE = 'node_modules/\nlib/\n*.local\n';

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  },
  include: ['src'],
};

/**
 * Returns everything that `init` writes into a project. `config` is the existing `firebase.json`, or an empty object;
 * `parameters` is a dotenv file of the functions' parameters; `rules` are those that match the project's settings.
 */
export function projectFiles(
  config: JsonObject,
  options: ProjectOptions,
  { parameters, rules }: { readonly parameters: string; readonly rules: string },
): readonly ProjectFile[] {
  const { rules: rulesName, indexes } = firestoreFiles(config);
  const ownIndexes: JsonObject = JSON.parse(readFileSync(INDEXES_FILE, 'utf8'));
  const { functions: folder } = options;
  return [
    jsonFile('firebase.json', firebaseJson(options), (theirs) => mergeFirebaseJson(theirs, options)),
    { name: rulesName, content: rules, findOpen: (theirs) => findOpenRules(theirs, rules) },
    jsonFile(indexes, ownIndexes, (theirs) => mergeIndexes(theirs, ownIndexes)),
    jsonFile(path.posix.join(folder, 'package.json'), functionsManifest()),
    jsonFile(path.posix.join(folder, 'tsconfig.json'), TSCONFIG),
    { name: path.posix.join(folder, 'src/index.ts'), content: INDEX },
    { name: path.posix.join(folder, '.gitignore'), content: GITIGNORE, isOwn: true },
    { name: path.posix.join(folder, '.env'), content: parameters, isOwn: true },
  ];
}

function jsonFile(name: string, ours: JsonObject, merge = (theirs: JsonObject) => addMissing(theirs, ours)) {
  return { name, content: `${JSON.stringify(ours, null, 2)}\n`, merge };
}

/**
 * The versions that the functions are tested with. Google's Firestore client is optional in firebase-admin, which omits
 * it on older versions of Node.js.
 */
const VERSIONS = {
  '@google-cloud/firestore': '9.4.1',
  'firebase-admin': '14.5.1',
  'firebase-functions': '7.4.0',
} as const;

/**
 * One file with everything except Google's libraries, which Google's build installs: new instances start in half the
 * time. It is CommonJS because the mail library loads Node's modules with `require`. `pg` is the driver of another
 * store and is left out.
 */
const BUNDLE = [
  'esbuild src/index.ts --bundle --platform=node --target=node22 --outfile=lib/index.cjs --log-level=error',
  ...[...Object.keys(VERSIONS), 'pg'].map((name) => `--external:${name}`),
].join(' ');

function functionsManifest(): JsonObject {
  const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST_FILE, 'utf8'));
  return {
    name: 'early-access-functions',
    private: true,
    type: 'module',
    main: 'lib/index.cjs',
    scripts: { build: `tsc && ${BUNDLE}`, emulators: 'early-access-firebase emulators' },
    dependencies: VERSIONS,
    devDependencies: { 'early-access-firebase': version, esbuild: '0.28.2', typescript: '6.0.3' },
  };
}
