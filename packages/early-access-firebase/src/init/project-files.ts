import { readFileSync } from 'node:fs';
import path from 'node:path';
import { INDEXES_FILE, MANIFEST_FILE, RULES_FILE } from '../package-files.ts';
import { findFunctionsFolder, firebaseJson, firestoreFiles, mergeFirebaseJson, mergeIndexes } from './firebase-json.ts';
import { addMissing, type JsonObject } from './json.ts';

/** A file that `init` writes. */
export interface ProjectFile {
  /** The path in the project, with slashes. */
  readonly name: string;
  readonly content: string;
  /** Merges what an existing JSON file lacks into it. Without it, an existing file with another content is compared as text. */
  readonly merge?: (theirs: JsonObject) => JsonObject;
  /** The project's own settings, which are neither compared nor shown. */
  readonly isOwn?: boolean;
}

const INDEX = `/** The functions of early-access-firebase. Their settings are the parameters in .env and the secrets in Secret Manager. */
export { accept, admin, links, mail, read, roll, send, submit, sweep } from 'early-access-firebase/functions';
`;

const GITIGNORE = 'node_modules/\nlib/\n*.local\n';

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'NodeNext',
    outDir: 'lib',
    rootDir: 'src',
    strict: true,
    skipLibCheck: true,
    sourceMap: true,
  },
  include: ['src'],
};

/**
 * Everything that `init` writes into a project. `config` is the existing `firebase.json`, or an empty object, `functions` the folder of the
 * functions, and `parameters` a dotenv file of their parameters.
 */
export function projectFiles(config: JsonObject, functions: string, parameters: string): readonly ProjectFile[] {
  const { rules, indexes } = firestoreFiles(config);
  const ownIndexes: JsonObject = JSON.parse(readFileSync(INDEXES_FILE, 'utf8'));
  const folder = findFunctionsFolder(config) ?? functions;
  return [
    jsonFile('firebase.json', firebaseJson(folder), (theirs) => mergeFirebaseJson(theirs, folder)),
    { name: rules, content: readFileSync(RULES_FILE, 'utf8') },
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

/** The versions that the functions are tested with. Google's Firestore client is optional in firebase-admin: an older Node leaves it out. */
const VERSIONS = {
  '@google-cloud/firestore': '9.4.1',
  'firebase-admin': '14.5.1',
  'firebase-functions': '7.4.0',
} as const;

function functionsManifest(): JsonObject {
  const { version }: { version: string } = JSON.parse(readFileSync(MANIFEST_FILE, 'utf8'));
  return {
    name: 'early-access-functions',
    private: true,
    type: 'module',
    main: 'lib/index.js',
    engines: { node: '22' },
    scripts: { build: 'tsc' },
    dependencies: { 'early-access-firebase': version, ...VERSIONS },
    devDependencies: { typescript: '6.0.3' },
  };
}
