import { findMeantLink, isIntact, type LinkPage, linkTarget, type MeantLink } from '../../app/people/meant-link.ts';
import type { AppContext, RouteContext } from '../routing/request-context.ts';
import { NO_STORE, PLAIN_HEADERS } from '../routing/security-headers.ts';

/** Shared by the descriptions of all pages of email links. Opening one changes nothing. */
export const LINK_PAGE = {
  method: 'get',
  access: 'public',
  details: 'Redirects to itself, with the token in its place, if a mail filter has changed the link.',
  responses: { 200: { 'text/html': null }, 303: null },
  failures: [],
  isPage: true,
} as const;

/** Options that mount further pages besides the two that always exist. */
interface LinkPageOptions {
  readonly statusPage?: boolean | undefined;
  readonly invites?: object | undefined;
  readonly dashboard?: object | undefined;
}

/** The pages of email links that these options mount. */
export function listLinkPages({ statusPage, invites, dashboard }: LinkPageOptions): readonly LinkPage[] {
  return [
    'confirm',
    'unsubscribe',
    ...(statusPage ? (['status'] as const) : []),
    ...(invites ? (['invite'] as const) : []),
    ...(dashboard === undefined ? [] : (['admin'] as const)),
  ];
}

/** The email link that a request's path and query were derived from, or null if it is not for one of our pages. */
export function findOwnLink(target: string, { linkPages }: Pick<RouteContext, 'linkPages'>): MeantLink | null {
  const link = findMeantLink(target);
  return link !== null && linkPages.includes(link.page) ? link : null;
}

/**
 * Redirects links that mail filters and mail programs have changed to the original links. Browsers do not send
 * fragments, so the next request has no token in its path. Mounted before all routes, because some of them have a
 * wildcard below a page's path.
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

/** The path and query as received. Hono partly decodes them. */
function readTarget({ req: { url } }: AppContext): string {
  const [withoutFragment = ''] = url.split('#', 1);
  return withoutFragment.slice(withoutFragment.indexOf('/', 'https://'.length));
}
