import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '@early-access-kit/testkit/packages';
import { ROOT } from '../run.ts';

const FILES = [
  ...['README.md', 'docs/**/*.md', 'packages/*/README.md', 'packages/early-access-kit/docs/*.mdx'],
  ...['examples/*/package.json', 'packages/create-early-access/templates/*/package.json'],
];
/**
 * Matches versions in dependencies and in the name of the embed script. All published packages have the same version.
 */
const VERSION = /(?<="early-access-(?:kit|server|firebase)": "\^|\/embed-)\d+\.\d+\.\d+(?=\.js|")/g;

interface Outdated {
  readonly file: string;
  /** The file's content with the current version. */
  readonly text: string;
}

/** Returns the files that contain an outdated version. */
export function findOutdatedVersions(): Outdated[] {
  const { version: current }: { version: string } = JSON.parse(
    readFileSync(path.join(ROOT, KIT, 'package.json'), 'utf8'),
  );
  return globSync(FILES, { cwd: ROOT }).flatMap((file) => {
    const before = readFileSync(path.join(ROOT, file), 'utf8');
    const text = before.replaceAll(VERSION, current);
    return text === before ? [] : [{ file, text }];
  });
}

/** Writes the current version into files that contain an outdated one. */
export function updateVersions(): void {
  for (const { file, text } of findOutdatedVersions()) writeFileSync(path.join(ROOT, file), text);
}
