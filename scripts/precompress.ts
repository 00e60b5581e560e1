import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Excludes image formats that are compressed already. */
const COMPRESSIBLE = '**/*.{html,css,js,svg,txt,json}';

/** Writes a `.br` and a `.gz` copy of every file at the highest levels, which a server that starts has no time for. */
export function precompress(folder: string): void {
  for (const name of globSync(COMPRESSIBLE, { cwd: folder })) {
    const file = path.join(folder, name);
    const bytes = readFileSync(file);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, quality));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
