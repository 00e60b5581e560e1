import { readFile } from 'node:fs/promises';

/** The part of a build's `firebase.json` that is used here. */
export interface FirebaseJson {
  readonly firestore: { readonly rules: string };
  readonly hosting: {
    readonly public: string;
    readonly ignore: readonly string[];
    readonly rewrites: readonly { readonly source: string; readonly function: { readonly functionId: string } }[];
    readonly headers: readonly HeaderRule[];
  };
}

interface HeaderRule {
  readonly source: string;
  readonly headers: readonly { readonly key: string; readonly value: string }[];
}

const KNOWN = ['public', 'ignore', 'cleanUrls', 'rewrites', 'headers'];

/** Throws for a Hosting setting that is not emulated here, so that the local site behaves like the deployed one. */
export async function readFirebaseJson(file: string): Promise<FirebaseJson> {
  const config: FirebaseJson = JSON.parse(await readFile(file, 'utf8'));
  const unknown = Object.keys(config.hosting).filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) throw new Error(`${file}: hosting.${unknown.join(', hosting.')} is not emulated`);
  return config;
}
