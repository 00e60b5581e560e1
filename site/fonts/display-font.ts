import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';

const { resolve } = createRequire(import.meta.url);

export const LICENSE = resolve('@fontsource-variable/archivo/LICENSE');
const SOURCE = resolve('@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2');

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('');
/** Punctuation and currencies of the site, and the letters of the server's Spanish pages. */
const MORE = '“”‘’«»–—…©·€£¥\u00a0ÁÉÍÑÓÚÜáéíñóúü¡¿';

/** Archivo at three quarters of its width, in bold and extra bold, as WOFF2. */
export function subsetDisplayFont(): Promise<Buffer> {
  return subsetFont(readFileSync(SOURCE), ASCII + MORE, {
    targetFormat: 'woff2',
    variationAxes: { wdth: 75, wght: { min: 700, max: 800 } },
  });
}
