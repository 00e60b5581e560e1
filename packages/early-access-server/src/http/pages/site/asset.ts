import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from 'hono/utils/compress';
import { getMimeType } from 'hono/utils/mime';
import type { Encoding } from './negotiate.ts';

interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A strong ETag, so each encoding has its own. */
  readonly etag: string;
}

export interface Asset {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly isPage: boolean;
  readonly variants: ReadonlyMap<Encoding, Variant>;
}

/** Compressed copies that the build wrote next to the file, at a higher level than would be feasible at startup. */
type Precompressed = { readonly [encoding in 'br' | 'gzip']?: Uint8Array<ArrayBuffer> | undefined };

/** For smaller files, compression saves less than its header costs. */
const SMALLEST_COMPRESSED_BYTES = 512;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** `path` is relative to the site, with forward slashes. */
export async function makeAsset(path: string, bytes: Uint8Array<ArrayBuffer>, ready: Precompressed): Promise<Asset> {
  const contentType = getMimeType(path) ?? 'application/octet-stream';
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const variants = new Map<Encoding, Variant>([['identity', { bytes, etag: `"${hash}"` }]]);
  if (COMPRESSIBLE_CONTENT_TYPE_REGEX.test(contentType) && bytes.byteLength >= SMALLEST_COMPRESSED_BYTES) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
    const br = ready.br ?? new Uint8Array(await compressBrotli(bytes, { params }));
    const gz = ready.gzip ?? new Uint8Array(await compressGzip(bytes, { level: 9 }));
    if (br.byteLength < bytes.byteLength) variants.set('br', { bytes: br, etag: `"${hash}-br"` });
    if (gz.byteLength < bytes.byteLength) variants.set('gzip', { bytes: gz, etag: `"${hash}-gz"` });
  }
  const isPage = path.endsWith('.html');
  return { contentType, cacheControl: chooseCacheControl(path, isPage), isPage, variants };
}

function chooseCacheControl(path: string, isPage: boolean): string {
  // File names below assets/ contain a hash of the content.
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return isPage ? 'no-cache' : 'public, max-age=3600';
}
