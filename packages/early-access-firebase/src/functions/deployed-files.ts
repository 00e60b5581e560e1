import { existsSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readTextFile } from 'early-access-server/internal';

/** The dotenv files beside the code, from which `firebase deploy` takes parameters; the last one wins. */
export function readDeployedFiles({ env } = process): readonly { readonly file: string; readonly text: string }[] {
  const files = ['.env', `.env.${env.GCLOUD_PROJECT}`].filter((file) => existsSync(file));
  return files.map((file) => ({ file, text: readTextFile(file) }));
}

/**
 * The value of a parameter, empty if it is not set, read while the functions are loaded. Parameters have no values while
 * `firebase deploy` asks which secrets there are, so the files that it takes their values from are read here too.
 */
export function deployedValue(name: string, { env } = process): string {
  const texts = readDeployedFiles().map(({ text }) => parseEnv(text));
  const { [name]: value = '' }: Record<string, string | undefined> = Object.assign({}, ...texts, env);
  return value;
}

/** The parts of a value that are separated by commas. */
export function listItems(value: string): readonly string[] {
  return value.split(',').flatMap((item) => item.trim() || []);
}
