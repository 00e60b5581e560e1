import { baseHeaders, NO_STORE, pageHeaders } from '../server/security-headers.ts';
import { type AssetRequest, respond } from './site/respond.ts';
import type { Site } from './site/site.ts';

const PATH = '/admin';
const UNBUILT = 'The dashboard is not built. Run `npm run build`.\n';
/** No search engine lists the page, and no other site learns which of its views an admin came from. */
const PRIVATE = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'same-origin' };

/**
 * Returns a function that responds to a GET of the dashboard, and returns undefined for every other path. The dashboard is one page, at
 * every path below `/admin` that is no file. Null is a dashboard that is not built; undefined is none.
 */
export function dashboardResponder(
  dashboard: Site | null | undefined,
  https: boolean,
): (request: AssetRequest) => Response | undefined {
  if (dashboard === undefined) return () => undefined;
  const forFiles = { ...baseHeaders(https), ...PRIVATE };
  const index = dashboard?.assets.get('/');
  if (dashboard === null || index === undefined) {
    const headers = { ...forFiles, 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': NO_STORE };
    return ({ path }) => (isDashboard(path) ? new Response(UNBUILT, { status: 503, headers }) : undefined);
  }
  const page = { ...index, cacheControl: NO_STORE };
  // Frames show previews of emails, see `campaign-routes.ts`.
  const forPage = { ...pageHeaders(dashboard.policy, https, { 'frame-src': [] }), ...PRIVATE };
  return (request) => {
    if (!isDashboard(request.path)) return undefined;
    const path = request.path.slice(PATH.length);
    const asset = dashboard.assets.get(path);
    if (asset !== undefined && !asset.isPage) return respond(asset, 200, request, forFiles);
    if (path.startsWith('/assets/')) return new Response('Not found\n', { status: 404, headers: forFiles });
    return respond(page, 200, request, forPage);
  };
}

/** Whether the dashboard responds to the path. */
export function isDashboard(path: string): boolean {
  return path === PATH || path.startsWith(`${PATH}/`);
}
