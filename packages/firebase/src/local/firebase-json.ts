import { readFile } from 'node:fs/promises';

/** What is read of the `firebase.json` of a build. */
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

/** Throws for a setting of Hosting that is not emulated here: what is seen locally must be what is deployed. */
export async function readFirebaseJson(file: string): Promise<FirebaseJson> {
  const config: FirebaseJson = JSON.parse(await readFile(file, 'utf8'));
  const unknown = Object.keys(config.hosting).filter((name) => !KNOWN.includes(name));
  if (unknown.length > 0) throw new Error(`${file}: hosting.${unknown.join(', hosting.')} is not emulated`);
  return config;
}
