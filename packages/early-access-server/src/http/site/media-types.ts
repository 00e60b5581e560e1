import { extname } from 'node:path';

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

export function mediaTypeOf(file: string): MediaType {
  return MEDIA_TYPES[extname(file).toLowerCase()] ?? binary('application/octet-stream');
}
