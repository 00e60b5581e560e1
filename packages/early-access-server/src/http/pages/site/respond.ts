import type { PageSources } from '../../../app/human/human-check.ts';
import { baseHeaders, NO_STORE, PLAIN_HEADERS, pageHeaders } from '../../server/security-headers.ts';
import type { Asset } from './asset.ts';
import { type Encoding, negotiateEncoding } from './negotiate.ts';
import type { Site } from './site.ts';

/** The parts of a request that decide which bytes are sent. */
export interface AssetRequest {
  /** Decoded path of the URL. */
  readonly path: string;
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

const UNBUILT = 'The site is not built. Run `npm run build`, or set SITE_DIR to the folder of a built one.\n';

/**
 * Returns a function that responds to a GET of the site. `https`: visitors reach it over TLS. `sources`: what its pages may load besides. Null is a site that is not built yet;
 * without a site every path is unknown.
 */
export function siteResponder(
  site: Site | null | undefined,
  https: boolean,
  sources: PageSources = {},
): (request: AssetRequest) => Response {
  if (site === undefined) return () => new Response('Not found\n', { status: 404, headers: PLAIN_HEADERS });
  if (site === null) {
    const headers = {
      ...baseHeaders(https),
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': NO_STORE,
      'Retry-After': '60',
    };
    return () => new Response(UNBUILT, { status: 503, headers });
  }
  const forPages = pageHeaders(site.policy, https, sources);
  const forFiles = baseHeaders(https);
  return (request) => {
    const asset = site.assets.get(request.path);
    if (asset !== undefined) return respond(asset, 200, request, asset.isPage ? forPages : forFiles);
    if (site.notFound !== null) return respond(site.notFound, 404, request, forPages);
    return new Response('Not found\n', { status: 404, headers: forPages });
  };
}

/** The asset in the encoding that the client prefers, or 304 if its copy is current. */
export function respond(
  asset: Asset,
  status: number,
  request: AssetRequest,
  security: Record<string, string>,
): Response {
  const encoding = negotiateEncoding(request.acceptEncoding, listEncodings(asset));
  const variant = asset.variants.get(encoding);
  if (variant === undefined) throw new Error('an asset without its uncompressed body');
  const headers: Record<string, string> = {
    ...security,
    'Cache-Control': asset.cacheControl,
    ETag: variant.etag,
    // Also on the uncompressed body, so that a cache keeps one copy per encoding.
    Vary: 'Accept-Encoding',
  };
  // A 404 is never "not modified": the client's copy may be of a page that existed before.
  if (status === 200 && matches(request.ifNoneMatch, variant.etag)) return new Response(null, { status: 304, headers });
  headers['Content-Type'] = asset.contentType;
  headers['Content-Length'] = String(variant.bytes.byteLength);
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  return new Response(variant.bytes, { status, headers });
}

function listEncodings(asset: Asset): ReadonlySet<Encoding> {
  return new Set(asset.variants.keys());
}

/** Weak comparison, as RFC 9110 demands for If-None-Match. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
