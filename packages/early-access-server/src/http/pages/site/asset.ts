import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './negotiate.ts';

/** An asset's body in one encoding. */
interface Variant {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Strong, so each encoding has its own. */
  readonly etag: string;
}

/** A file of the site, held in memory. */
export interface Asset {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly isPage: boolean;
  readonly variants: ReadonlyMap<Encoding, Variant>;
}

/** Compressed copies that the build has already written beside the file, at a higher level than a start has time for. */
type Precompressed = { readonly [encoding in 'br' | 'gzip']?: Uint8Array<ArrayBuffer> | undefined };

/** Below this, compression saves less than its header costs. */
const SMALLEST_COMPRESSED_BYTES = 512;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** `path` is relative to the site, with forward slashes. */
export async function makeAsset(path: string, bytes: Uint8Array<ArrayBuffer>, ready: Precompressed): Promise<Asset> {
  const { type, compressible } = findMediaType(path);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const variants = new Map<Encoding, Variant>([['identity', { bytes, etag: `"${hash}"` }]]);
  if (compressible && bytes.byteLength >= SMALLEST_COMPRESSED_BYTES) {
    const br = ready.br ?? new Uint8Array(await compressBrotli(bytes, brotliOptions(bytes.byteLength)));
    const gz = ready.gzip ?? new Uint8Array(await compressGzip(bytes, { level: 9 }));
    if (br.byteLength < bytes.byteLength) variants.set('br', { bytes: br, etag: `"${hash}-br"` });
    if (gz.byteLength < bytes.byteLength) variants.set('gzip', { bytes: gz, etag: `"${hash}-gz"` });
  }
  const isPage = path.endsWith('.html');
  return { contentType: type, cacheControl: chooseCacheControl(path, isPage), isPage, variants };
}

function chooseCacheControl(path: string, isPage: boolean): string {
  // The build puts a hash of the content into the names below assets/.
  if (path.startsWith('assets/')) return 'public, max-age=31536000, immutable';
  return isPage ? 'no-cache' : 'public, max-age=3600';
}

function brotliOptions(size: number): { params: Record<number, number> } {
  return { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: size } };
}

interface MediaType {
  readonly type: string;
  /** Whether compressing it again makes it smaller. */
  readonly compressible: boolean;
}

const text = (type: string): MediaType => ({ type: `${type}; charset=utf-8`, compressible: true });
const binary = (type: string): MediaType => ({ type, compressible: false });

const MEDIA_TYPES: Readonly<Record<string, MediaType>> = {
  '.html': text('text/html'),
  '.css': text('text/css'),
  '.js': text('text/javascript'),
  '.mjs': text('text/javascript'),
  '.json': text('application/json'),
  '.map': text('application/json'),
  '.webmanifest': text('application/manifest+json'),
  '.txt': text('text/plain'),
  '.xml': text('application/xml'),
  '.svg': text('image/svg+xml'),
  '.ico': { type: 'image/x-icon', compressible: true },
  '.png': binary('image/png'),
  '.jpg': binary('image/jpeg'),
  '.jpeg': binary('image/jpeg'),
  '.webp': binary('image/webp'),
  '.avif': binary('image/avif'),
  '.gif': binary('image/gif'),
  '.woff2': binary('font/woff2'),
  '.pdf': binary('application/pdf'),
};

function findMediaType(file: string): MediaType {
  return MEDIA_TYPES[extname(file).toLowerCase()] ?? binary('application/octet-stream');
}
