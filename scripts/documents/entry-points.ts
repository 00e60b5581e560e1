import { readFileSync } from 'node:fs';
import path from 'node:path';
import { KIT } from '@early-access-kit/testkit/packages';
import { ROOT } from '../run.ts';

/** The second name says that it may change at any time. */
const UNNAMED = ['./package.json', './internal'];
const ROW = /^- `(early-access-kit(?:\/[^`]+)?)`: (.*)/gm;
const FOLDER = /…$/;

/** Checks that the entry points in the kit's README are exactly the exports of its `package.json`. */
export function wrongEntryPoints(): string[] {
  const read = (file: string) => readFileSync(path.join(ROOT, KIT, file), 'utf8');
  const { exports }: { exports: Readonly<Record<string, unknown>> } = JSON.parse(read('package.json'));
  const exported = Object.keys(exports)
    .filter((entry) => exports[entry] !== null && !UNNAMED.includes(entry))
    .map((entry) => `early-access-kit${entry.slice(1).replace('*', '…')}`);
  const named = [...read('README.md').matchAll(ROW)].flatMap(([, entry = '', text = '']) =>
    FOLDER.test(entry) && !exported.includes(entry) ? namesOf(text).map((name) => entry.replace(FOLDER, name)) : entry,
  );
  return [
    ...exported.filter((entry) => !named.includes(entry)).map((entry) => `the kit's README does not name ${entry}`),
    ...named
      .filter((entry) => !exported.includes(entry))
      .map((entry) => `the kit's README names ${entry}, which is not exported`),
  ];
}

/** Returns a folder's entries that are named in the text of a row. */
function namesOf(text: string): string[] {
  return [...text.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
}
