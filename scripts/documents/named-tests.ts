import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

const DOCUMENTS = ['SECURITY.md', 'docs/threat-model.md'];
const TESTS = [
  '{packages/*/{src,test},site,e2e,faults}/**/*.{test,spec}.{ts,tsx}',
  'packages/*/src/testing/*-contract.ts',
];
/** A paragraph that starts with its subject in bold, or a row of a table without its header. */
const PROMISE = /^- \*\*.+\n(?: {2}.+\n)*|^\| (?!who |---).+/gm;
/** The end of a row that promises nothing. */
const NOTHING = /\| *\| *\|$/;
const NAMED = /`([\w./-]+(?:\.(?:test|spec)\.tsx?|-contract\.ts))`/g;

/** Returns a complaint for each promise that names no test, and for each name that is not the end of the path of exactly one. */
export function unprovenPromises(): string[] {
  const files = globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules'] }).map((file) => `/${file}`);
  return DOCUMENTS.flatMap((document) => checkDocument(document, files));
}

function checkDocument(document: string, files: readonly string[]): string[] {
  const text = readFileSync(path.join(ROOT, document), 'utf8');
  const untested = [...text.matchAll(PROMISE)].flatMap(([promise]) =>
    promise.match(NAMED) || NOTHING.test(promise) ? [] : `${document} names no test for: ${promise.slice(0, 80)}`,
  );
  const unknown = [...text.matchAll(NAMED)].flatMap(([, name = '']) => {
    const { length } = files.filter((file) => file.endsWith(`/${name}`));
    return length === 1 ? [] : `${document} names ${name}, which is the end of ${length} paths`;
  });
  return [...untested, ...unknown];
}
