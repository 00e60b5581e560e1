import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keepAssets, takeAssets } from './kept-assets.ts';

function tempDist(): string {
  const dist = mkdtempSync(path.join(tmpdir(), 'early-access-dist-'));
  onTestFinished(() => rmSync(dist, { recursive: true }));
  return dist;
}

/** Empties and refills the folder like `build.ts`. Returns the resulting files. */
function build(dist: string, files: Readonly<Record<string, string>>): Record<string, string> {
  const before = takeAssets(dist);
  rmSync(dist, { recursive: true });
  const folder = path.join(dist, 'client', 'assets');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  keepAssets(dist, before);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
}

it('only keeps the assets of the previous build', () => {
  const dist = tempDist();
  expect(build(dist, { 'panel-1.js': 'one' })).toEqual({ 'panel-1.js': 'one' });
  expect(build(dist, { 'panel-2.js': 'two' })).toEqual({ 'panel-1.js': 'one', 'panel-2.js': 'two' });
  expect(build(dist, { 'panel-3.js': 'three' })).toEqual({ 'panel-2.js': 'two', 'panel-3.js': 'three' });
});

it('does not overwrite files of the new build', () => {
  const dist = tempDist();
  build(dist, { 'index-1.js': 'same' });
  expect(build(dist, { 'index-1.js': 'same', 'panel-2.js': 'two' })).toEqual({
    'index-1.js': 'same',
    'panel-2.js': 'two',
  });
});
