import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LICENSE, subsetDisplayFont } from './display-font.ts';

/**
 * Writes the display font and its license: `pnpm --filter site font`. Browsers store the file for a year under its name, which is the same in every
 * build, so that the server's own pages find it. If its content changes, count its name up.
 */
writeFileSync(path.join(import.meta.dirname, 'archivo-condensed-1.woff2'), await subsetDisplayFont());
copyFileSync(LICENSE, path.join(import.meta.dirname, '../public/archivo-license.txt'));
