import type { PageSources } from '../../../app/human/human-check.ts';
import type { AppContext } from '../../routing/request-context.ts';
import { NO_STORE, PLAIN_HEADERS, pageHeaders } from '../../routing/security-headers.ts';
import type { Asset } from './asset.ts';
import { negotiateEncoding } from './negotiate.ts';
import type { Site } from './site.ts';

const UNBUILT = `The site is not built. Run npm run build, or set SITE_DIR to the folder of a built one.
During development, open the URL of your development server instead, such as Vite’s http://localhost:5173.
`;

/**
 * Returns a function that responds to a GET request for the site. `sources`: additional sources that its pages may
 * load. Without a site, every path is unknown. `allowsFonts`: allows pages of any origin to use its fonts, including
 * sandboxed frames, which have none.
 */
export function siteResponder(
  site: Site | undefined,
  sources: PageSources = {},
  allowsFonts = false,
): (c: AppContext) => Response {
  if (site === undefined) return () => new Response('Not found\n', { status: 404, headers: PLAIN_HEADERS });
  if (!site.isBuilt) return () => respondUnbuilt(UNBUILT, { ...PLAIN_HEADERS, 'Retry-After': '60' });
  const forPages = pageHeaders(site.policy, sources);
  const forFonts = allowsFonts ? { ...PLAIN_HEADERS, 'Access-Control-Allow-Origin': '*' } : PLAIN_HEADERS;
  return (c) => {
    const asset = site.assets.get(c.req.path);
    if (asset !== undefined) {
      const isFont = asset.contentType.startsWith('font/');
      return respondWithAsset(c, asset, asset.isPage ? forPages : isFont ? forFonts : PLAIN_HEADERS);
    }
    if (site.notFound !== null) return respondWithAsset(c, site.notFound, forPages, 404);
    return new Response('Not found\n', { status: 404, headers: forPages });
  };
}

/** The response for pages that have not been built yet. */
export function respondUnbuilt(text: string, headers: Record<string, string>): Response {
  const own = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': NO_STORE };
  return new Response(text, { status: 503, headers: { ...headers, ...own } });
}

/** The asset in the encoding that the client prefers, or 304 if the client's copy is current. */
export function respondWithAsset(
  c: AppContext,
  asset: Asset,
  security: Record<string, string>,
  status = 200,
): Response {
  // Next.js removes the Content-Encoding of a route's response and compresses it itself.
  const acceptEncoding = 'nextUrl' in c.req.raw ? undefined : c.req.header('accept-encoding');
  const encoding = negotiateEncoding(acceptEncoding, asset.variants);
  const variant = asset.variants.get(encoding);
  if (variant === undefined) throw new Error('an asset without its uncompressed body');
  const headers: Record<string, string> = {
    ...security,
    'Cache-Control': asset.cacheControl,
    ETag: variant.etag,
    // Also set for the uncompressed body, so that caches store one copy per encoding.
    Vary: 'Accept-Encoding',
  };
  // A 404 is never "not modified": the client's copy may be from when the page existed.
  if (status === 200 && matches(c.req.header('if-none-match'), variant.etag)) {
    return new Response(null, { status: 304, headers });
  }
  headers['Content-Type'] = asset.contentType;
  headers['Content-Length'] = String(variant.bytes.byteLength);
  if (encoding !== 'identity') headers['Content-Encoding'] = encoding;
  return new Response(variant.bytes, { status, headers });
}

/** Weak comparison, which RFC 9110 requires for If-None-Match. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
