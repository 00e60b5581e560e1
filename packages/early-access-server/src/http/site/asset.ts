import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { mediaTypeOf } from './media-types.ts';
import type { Encoding } from './negotiate.ts';

/** One body that an asset can be answered with. */
interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Strong, and so of its own for each encoding. */
  readonly etag: string;
}

/** A file of the site, held in memory. */
export interface Asset {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly isPage: boolean;
  readonly variants: ReadonlyMap<Encoding, Variant>;
}

/** Compressed forms that lie beside the file already, made with more time than there is at a start. */
export type Precompressed = Partial<Record<'br' | 'gzip', Uint8Array<ArrayBuffer>>>;

/** Below this, compression saves less than its header costs. */
const SMALLEST_COMPRESSED_BYTES = 512;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** `path` is relative to the site, with forward slashes. */
export async function makeAsset(path: string, bytes: Uint8Array<ArrayBuffer>, ready: Precompressed): Promise<Asset> {
  const { type, compressible } = mediaTypeOf(path);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const variants = new Map<Encoding, Variant>([['identity', { bytes, etag: `"${hash}"` }]]);
  if (compressible && bytes.byteLength >= SMALLEST_COMPRESSED_BYTES) {
    const br = ready.br ?? new Uint8Array(await compressBrotli(bytes, brotliOptions(bytes.byteLength)));
    const gz = ready.gzip ?? new Uint8Array(await compressGzip(bytes, { level: 9 }));
    if (br.byteLength < bytes.byteLength) variants.set('br', { bytes: br, etag: `"${hash}-br"` });
    if (gz.byteLength < bytes.byteLength) variants.set('gzip', { bytes: gz, etag: `"${hash}-gz"` });
  }
  const isPage = path.endsWith('.html');
  return { contentType: type, cacheControl: cacheControlOf(path, isPage), isPage, variants };
}

function cacheControlOf(path: string, isPage: boolean): string {
  // The build puts a hash of the content into the names below assets/.
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return isPage ? 'no-cache' : 'public, max-age=3600';
}

function brotliOptions(size: number): { params: Record<number, number> } {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: size } };
}
