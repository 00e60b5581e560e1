import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LICENSES, subsetFonts } from './faces.ts';

const SITE = path.resolve(import.meta.dirname, '..');

/** Writes the fonts and their licenses: `pnpm --filter site font`. */
mkdirSync(path.join(SITE, 'public/assets'), { recursive: true });
for (const [file, font] of await subsetFonts()) writeFileSync(path.join(SITE, file), font);
for (const [name, license] of Object.entries(LICENSES)) copyFileSync(license, path.join(SITE, 'public', name));
