/** Checks the transfer size of the dashboard's first load: the page, its scripts and its styles. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliBytes } from '@early-access-kit/testkit/bundlers';
import { ROOT } from '../run.ts';

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

const LIMIT = 95_100;
const DIST = path.join(ROOT, 'packages/dashboard/dist');

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(path.join(DIST, '.vite/manifest.json'), 'utf8'));
const names = new Set(['index.html']);
const files = new Set(['index.html']);
// Iterating over a set includes items that are added during the loop.
for (const name of names) {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`the dashboard's build has no ${name}`);
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const imported of chunk.imports ?? []) names.add(imported);
}
const sizes = [...files].map((file) => ({ file, size: brotliBytes(readFileSync(path.join(DIST, file))) }));
const total = sizes.reduce((sum, { size }) => sum + size, 0);
for (const { file, size } of sizes) console.log(`${String(size).padStart(7)} ${file}`);
console.log(`${String(total).padStart(7)} of ${LIMIT} bytes`);
if (total > LIMIT) {
  console.error(`The first load of the dashboard is ${total - LIMIT} bytes over its limit.`);
  process.exitCode = 1;
}
