import { findMeantLink, isIntact, type LinkPage, linkTarget, type MeantLink } from '../../app/people/meant-link.ts';
import type { AppContext, RouteContext } from '../routing/request-context.ts';
import { NO_STORE, PLAIN_HEADERS } from '../routing/security-headers.ts';

/** The part of the description that all pages of links in emails share. Opening one changes nothing. */
export const LINK_PAGE = {
  method: 'get',
  access: 'public',
  details: 'Redirects to itself, with the token in its place, if a mail filter has changed the link.',
  responses: { 200: { 'text/html': null }, 303: null },
  failures: [],
  isPage: true,
} as const;

/** What mounts a page beside the two that are always there. */
interface LinkPageOptions {
  readonly statusPage?: boolean | undefined;
  readonly invites?: object | undefined;
  readonly dashboard?: object | undefined;
}

/** The pages of links in emails that these options mount. */
export function listLinkPages({ statusPage, invites, dashboard }: LinkPageOptions): readonly LinkPage[] {
  return [
    'confirm',
    'unsubscribe',
    ...(statusPage ? (['status'] as const) : []),
    ...(invites ? (['invite'] as const) : []),
    ...(dashboard === undefined ? [] : (['admin'] as const)),
  ];
}

/** The link of an email that a request for this path and query meant; null if its page is not one of ours. */
export function findOwnLink(target: string, { linkPages }: Pick<RouteContext, 'linkPages'>): MeantLink | null {
  const link = findMeantLink(target);
  return link !== null && linkPages.includes(link.page) ? link : null;
}

/**
 * Redirects from what mail filters and mail programs make of links to the links that the emails had. Browsers send no
 * fragment, so the next request has no token in its path. Mounted before all routes, because some have a wildcard below
 * the path of a page.
 */
export function mountLinkRedirects(context: RouteContext): void {
  context.app.get('*', async (c, next) => {
    const target = readTarget(c);
    const link = findOwnLink(target, context);
    if (link === null || isIntact(target, link)) return next();
    const headers = { ...PLAIN_HEADERS, 'Cache-Control': NO_STORE, 'Referrer-Policy': 'no-referrer' };
    return new Response(null, { status: 303, headers: { ...headers, Location: linkTarget(link) } });
  });
}

/** The path and the query as they were received: Hono decodes some of it. */
function readTarget({ req: { url } }: AppContext): string {
  const [withoutFragment = ''] = url.split('#', 1);
  return withoutFragment.slice(withoutFragment.indexOf('/', 'https://'.length));
}
