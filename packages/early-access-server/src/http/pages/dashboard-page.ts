import type { RouteContext } from '../routing/request-context.ts';
import { dashboardHeaders, NO_STORE, PLAIN_HEADERS } from '../routing/security-headers.ts';
import { respondUnbuilt, respondWithAsset } from './site/respond.ts';
import type { Site } from './site/site.ts';

const PATH = '/admin';
const UNBUILT = 'The dashboard is not built. Run npm run build.\n';
/** Search engines do not list the page, and other sites do not learn which view a link was opened from. */
const PRIVATE = { 'X-Robots-Tag': 'noindex', 'Referrer-Policy': 'same-origin' };

/** Mounts the dashboard: a single page for every path below `/admin` that is not a file. */
export function mountDashboard({ app }: RouteContext, dashboard: Site): void {
  const forFiles = { ...PLAIN_HEADERS, ...PRIVATE };
  const index = dashboard.assets.get('/');
  if (index === undefined) {
    app.get(`${PATH}/*`, () => respondUnbuilt(UNBUILT, forFiles));
    return;
  }
  const page = { ...index, cacheControl: NO_STORE };
  const forPage = { ...dashboardHeaders(dashboard.policy), ...PRIVATE };
  app.get(`${PATH}/*`, (c) => {
    const path = c.req.path.slice(PATH.length);
    const asset = dashboard.assets.get(path);
    if (asset !== undefined && !asset.isPage) return respondWithAsset(c, asset, forFiles);
    if (path.startsWith('/assets/')) return new Response('Not found\n', { status: 404, headers: forFiles });
    return respondWithAsset(c, page, forPage);
  });
}

/** Returns whether the path belongs to the dashboard. */
export function isDashboard(path: string): boolean {
  return path === PATH || path.startsWith(`${PATH}/`);
}
