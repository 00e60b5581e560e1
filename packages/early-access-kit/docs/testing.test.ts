// @vitest-environment jsdom
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cleanup } from '@testing-library/react';
import { afterEach } from 'vitest';

/** Runs every test shown in the testing guide. */

const folder = path.join(import.meta.dirname, '../.cache/testing-page');
const page = readFileSync(path.join(import.meta.dirname, 'testing.mdx'), 'utf8');

afterEach(cleanup);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const snippets = [...page.matchAll(/^```(tsx?)\n(.*?)^```/gms)];
if (snippets.length < 6)
  throw new Error('The page shows fewer tests than it did: has the form of its snippets changed?');
for (const [index, [, extension = '', code = '']] of snippets.entries()) {
  const file = path.join(folder, `snippet-${index}.${extension}`);
  writeFileSync(file, code);
  await import(/* @vite-ignore */ file);
}
