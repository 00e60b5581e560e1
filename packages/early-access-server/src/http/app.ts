import { DEFAULT_BASE, isRobot, MAX_LENGTH } from 'early-access-kit/core';
import { Hono } from 'hono';
import type { AdminEmail } from '../app/access/admin-check.ts';
import type { BrandResponse } from '../app/admin/admin-api.ts';
import type { AdminService } from '../app/admin/admin-service.ts';
import { type HumanTokenStore, humanCheck, type VerifyHuman } from '../app/human/human-check.ts';
import { reasonOf, silentLog } from '../app/ports.ts';
import { adminCookie } from './admin/admin-cookie.ts';
import { type AdminRoutesStore, adminRoutes } from './admin/admin-routes.ts';
import { dashboardResponder, isDashboard } from './admin/dashboard-page.ts';
import { apiNotFound, failed, mountApi, unknownRoute } from './api.ts';
import { type EmbedScripts, scriptResponder } from './embed.ts';
import { mountChallenge } from './human-challenge.ts';
import { type InviteStore, mountInvites } from './list/invite-routes.ts';
import { type LinkStore, mountList } from './list/list-routes.ts';
import { mountDocument } from './openapi/document-route.ts';
import { isApi, isOwnPath, pathMistakeIn } from './own-paths.ts';
import {
  type AppEnv,
  type RequestSource,
  type RouteContextOptions,
  type RouteEvents,
  routeContext,
} from './route-context.ts';
import { brandResponse, ping } from './schemas/server.ts';
import { NO_STORE, PLAIN_HEADERS } from './security-headers.ts';
import { mountSignupForm } from './signup-form.ts';
import { type AssetRequest, siteResponder } from './site/respond.ts';
import type { Site } from './site/site.ts';
import { storeAdapter, type VisitorStore } from './store-adapter.ts';

const HEALTH_HEADERS = { ...PLAIN_HEADERS, 'Cache-Control': NO_STORE };

/** The options of `createEarlyAccess` that concern requests. */
export interface AppOptions extends RouteContextOptions {
  /** The admins' addresses. They may read the analytics summary, and sign in to the dashboard by email. None if null, the default. */
  readonly adminEmail?: AdminEmail;
  /** The product that people of the list are invited to. Null, the default: the routes of invitations are missing. */
  readonly invites?: InviteOptions | null;
  /**
   * What the signups of pages have to pass to show that a person makes them. Those of forms without scripts are confirmed by email instead. Null,
   * the default: every signup passes.
   */
  readonly verifyHuman?: VerifyHuman | null;
  /** The pages to serve. Null: they are not built yet. Undefined: there are none, only the API is served. */
  readonly site?: Site | null | undefined;
  /** The scripts for pages of other sites. */
  readonly embed?: EmbedScripts;
  /** The admin's page, see `loadDashboard`. Null: it is not built. Undefined: there is none. */
  readonly dashboard?: Site | null | undefined;
  /**
   * The name of the cookie of an admin's session, for hosts that pass on a certain cookie only. `__Host-early_access` by default, or
   * `early_access` if the site is not on https.
   */
  readonly sessionCookie?: string | undefined;
}

export interface InviteOptions {
  /** The page of the product that an invitation leads to, with the token in its fragment. */
  readonly url: URL;
  /**
   * The key with which the host's back end verifies and redeems invitations: at least 32 characters. Null: this application sends
   * invitations, and another one redeems them.
   */
  readonly key: string | null;
}

export interface App {
  /** Responds to a request; never rejects. Expects the whole path, from `/api` on. */
  fetch(request: Request, source?: RequestSource): Response | Promise<Response>;
  /**
   * Whether a path is one of the application's: its routes below `/api`, `/confirm`, `/unsubscribe`, `/admin` if there is a dashboard, its embed
   * scripts, and its site. A host passes those to `fetch` and keeps all others, its own routes below `/api` among them.
   */
  handles(path: string): boolean;
}

interface ListRoutesStore {
  readonly list: LinkStore & InviteStore;
  readonly humanTokens: HumanTokenStore;
}

export interface AppServices extends RouteEvents {
  readonly store: VisitorStore & AdminRoutesStore & ListRoutesStore;
  /** Without it the admin's routes are missing. */
  readonly admin?: AdminService;
}

/** For tests, which walk the router's own list of routes. */
export interface RoutedApp extends App {
  readonly router: Pick<Hono<AppEnv>, 'routes'>;
}

/** Routes for the API under `/api`, for `/healthz`, the scripts for other sites, the dashboard and the site. */
export function createApp(options: AppOptions & AppServices): RoutedApp {
  const { store, admin, adminEmail = null, log = silentLog, publicUrl, embed = new Map(), site, dashboard } = options;
  const context = routeContext(options, options);
  const { count, noteMistake } = context;
  const adapter = storeAdapter(store, adminEmail, context.wakeMail);
  const verifyHuman = options.verifyHuman ?? null;
  const https = publicUrl?.protocol === 'https:';
  const respondFromSite = siteResponder(site, https, verifyHuman?.pageSources);
  const respondWithDashboard = dashboardResponder(dashboard, https);
  const respondWithScript = scriptResponder(embed, context.origins, https);

  function pageFor(request: AssetRequest, userAgent = ''): Response {
    const response = respondFromSite(request);
    // A crawler that runs no scripts starts no session, but it reads pages.
    const isPage = response.ok && response.headers.get('content-type')?.startsWith('text/html') === true;
    if (isPage && isRobot(userAgent.slice(0, MAX_LENGTH.user_agent))) count('robots');
    return response;
  }

  const app = new Hono<AppEnv>();
  if (verifyHuman === null) {
    mountApi(app, context, adapter);
    mountSignupForm(app, context, adapter);
  } else {
    const { clock = Date.now } = options;
    mountApi(app, context, adapter, humanCheck({ verifyHuman, tokens: store.humanTokens, count, clock }));
    mountChallenge(app, context, verifyHuman);
    // A form without scripts has no token, so the person confirms the address instead.
    const createSignup: VisitorStore['createSignup'] = (signup) => store.createSignup(signup, { confirm: true });
    const formAdapter = storeAdapter({ ...store, createSignup }, adminEmail, context.wakeMail);
    mountSignupForm(app, context, formAdapter, { confirms: true });
  }
  mountList(app, context, store.list);
  if (options.invites?.key) mountInvites(app, context, store, options.invites.key);
  const cookie = adminCookie(https, options.sessionCookie);
  if (admin) {
    app.route(`${DEFAULT_BASE}/admin`, adminRoutes({ service: admin, store, context, cookie, https }));
  }

  const facts = { method: 'get', access: 'public', failures: [] } as const;
  context.describe({
    ...facts,
    path: '/healthz',
    summary: 'Whether the database responds.',
    responses: { 200: ping, 503: ping },
  });
  app.get('/healthz', async (c) => {
    try {
      await store.ping();
      return c.json({ status: 'ok' }, 200, HEALTH_HEADERS);
    } catch (error) {
      log('error', 'unhealthy', { reason: reasonOf(error) });
      return c.json({ status: 'unavailable' }, 503, HEALTH_HEADERS);
    }
  });

  const brand: BrandResponse = { name: context.brand.name, colours: context.brand.colours ?? {} };
  context.describe({
    ...facts,
    path: `${DEFAULT_BASE}/brand`,
    summary: 'The name and the colours of the product.',
    responses: { 200: brandResponse },
  });
  app.get(`${DEFAULT_BASE}/brand`, (c) => c.json(brand, 200, HEALTH_HEADERS));

  mountDocument(app, context, cookie.name);

  app.get('*', (c) => {
    const { path } = c.req;
    if (isApi(path)) return unknownRoute(path);
    // Next.js drops the Content-Encoding of a route's response, and compresses by itself.
    const acceptEncoding = 'nextUrl' in c.req.raw ? undefined : c.req.header('accept-encoding');
    const ifNoneMatch = c.req.header('if-none-match');
    const request = { path, acceptEncoding, ifNoneMatch };
    const [origin, host] = [c.req.header('origin'), c.req.header('host')];
    return (
      respondWithDashboard(request) ??
      respondWithScript({ ...request, origin, host }) ??
      pageFor(request, c.req.header('user-agent'))
    );
  });

  app.notFound(({ req: { path } }) => {
    const response = apiNotFound(path, context);
    if (response !== null) return response;
    return new Response('Method not allowed\n', { status: 405, headers: { ...PLAIN_HEADERS, Allow: 'GET, HEAD' } });
  });

  app.onError(failed(context));

  return {
    router: app,
    fetch: (request, source) => app.fetch(request, source),
    handles(path) {
      const mistake = pathMistakeIn(path);
      // A host may have `/signups` of its own.
      if (mistake === 'path-prefixed') noteMistake(mistake);
      if (isDashboard(path)) return dashboard !== undefined;
      return isOwnPath(path) || embed.has(path) || site?.assets.has(path) === true;
    },
  };
}
