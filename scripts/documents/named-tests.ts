import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../run.ts';

const DOCUMENT = 'docs/security-model.md';
const TESTS = [
  '{packages/*/{src,test},site,e2e,faults}/**/*.{test,spec}.{ts,tsx}',
  'packages/*/src/testing/*-contract.ts',
];
/** A list item that starts with its subject in bold. */
const PROMISE = /^- \*\*.+\n(?: {2}.+\n)*/gm;
const NAMED = /`([\w./-]+(?:\.(?:test|spec)\.tsx?|-contract\.ts))`/g;

/** Returns a complaint for each promise without a test, and for each name that is not the end of exactly one path. */
export function unprovenPromises(): string[] {
  const files = globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules'] }).map((file) => `/${file}`);
  const text = readFileSync(path.join(ROOT, DOCUMENT), 'utf8');
  const untested = [...text.matchAll(PROMISE)].flatMap(([promise]) =>
    promise.match(NAMED) ? [] : `${DOCUMENT} names no test for: ${promise.slice(0, 80)}`,
  );
  const unknown = [...text.matchAll(NAMED)].flatMap(([, name = '']) => {
    const { length } = files.filter((file) => file.endsWith(`/${name}`));
    return length === 1 ? [] : `${DOCUMENT} names ${name}, which is the end of ${length} paths`;
  });
  return [...untested, ...unknown];
}
