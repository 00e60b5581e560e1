/** Converts the stored screenshots to a palette. Run by `npm run task -- test:visual --update` after storing them. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { smallPng } from './small-png.ts';

for (const file of globSync(path.resolve(import.meta.dirname, '../pictures/*.png'))) {
  writeFileSync(file, smallPng(readFileSync(file)));
}
