import { existsSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readTextFile } from 'early-access-server/internal';

/** Reads the dotenv files from which `firebase deploy` takes parameters. Later files override earlier ones. */
export function readDeployedFiles({ env } = process): readonly { readonly file: string; readonly text: string }[] {
  const files = ['.env', `.env.${env.GCLOUD_PROJECT}`].filter((file) => existsSync(file));
  return files.map((file) => ({ file, text: readTextFile(file) }));
}

/**
 * Returns the value of a parameter while the functions are loaded; empty if it is not set. Parameters have no values
 * while `firebase deploy` lists the secrets, so its files are read here, too.
 */
export function deployedValue(name: string, { env } = process): string {
  const texts = readDeployedFiles().map(({ text }) => parseEnv(text));
  const { [name]: value = '' }: Record<string, string | undefined> = Object.assign({}, ...texts, env);
  return value;
}

/** Splits a value at its commas. */
export function listItems(value: string): readonly string[] {
  return value.split(',').flatMap((item) => item.trim() || []);
}
