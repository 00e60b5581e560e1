import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Excludes image formats that are already compressed. */
const COMPRESSIBLE = '**/*.{html,css,js,svg,txt,json}';

/** Writes a `.br` and a `.gz` copy of every file at the highest level, which is too slow for a server at startup. */
export function precompress(folder: string): void {
  for (const file of compressibleFiles(folder)) {
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotli(bytes));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

/**
 * Replaces every file by its `.br` copy, which the server can convert to any encoding, so that a package contains each
 * text once.
 */
export function replaceByCompressed(folder: string): void {
  for (const file of compressibleFiles(folder)) {
    writeFileSync(`${file}.br`, brotli(readFileSync(file)));
    rmSync(file);
  }
}

function compressibleFiles(folder: string): string[] {
  return globSync(COMPRESSIBLE, { cwd: folder }).map((name) => path.join(folder, name));
}

function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } });
}
