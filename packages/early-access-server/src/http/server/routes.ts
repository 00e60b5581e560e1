import { DEFAULT_BASE, isRobot, MAX_LENGTH, type StorageAdapter } from 'early-access-kit/core';
import { Hono } from 'hono';
import { humanCheck } from '../../app/human/human-check.ts';
import type { HumanTokenStore } from '../../app/ports/human-token-store.ts';
import { silentLog } from '../../app/ports/log.ts';
import { adminCookie } from '../admin/admin-cookie.ts';
import type { AdminRoutesStore } from '../admin/admin-route.ts';
import { adminRoutes } from '../admin/admin-routes.ts';
import { dashboardResponder, isDashboard } from '../pages/dashboard-page.ts';
import { siteResponder } from '../pages/site/respond.ts';
import { scriptResponder } from '../public/embed.ts';
import { mountChallenge } from '../public/human-challenge.ts';
import { type InviteStore, mountInvites } from '../public/invite-routes.ts';
import { type LinkStore, mountList } from '../public/list-routes.ts';
import { mountSignupForm } from '../public/signup-form.ts';
import { storeAdapter, type VisitorStore } from '../public/store-adapter.ts';
import { mountVisitorRoutes } from '../public/visitor-routes.ts';
import { apiNotFound, failed, unknownRoute } from './fallbacks.ts';
import { mountDocument } from './openapi/document-route.ts';
import type { RouteOptions } from './options.ts';
import { findPathMistake, isApi, isOwnPath } from './own-paths.ts';
import {
  type AppEnv,
  type RequestSource,
  type RouteContext,
  type RouteEvents,
  routeContext,
} from './request-context.ts';
import { PLAIN_HEADERS } from './security-headers.ts';
import { mountBrand, mountHealthCheck } from './server-routes.ts';
import type { AdminService } from './services.ts';

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

interface RoutesInput extends RouteOptions, RouteEvents {
  readonly store: VisitorStore & AdminRoutesStore & ListRoutesStore;
  /** Without it the admin's routes are missing. */
  readonly admin?: AdminService;
}

/** Tests walk the router's list of routes. */
export interface RoutedApp extends App {
  readonly router: Pick<Hono<AppEnv>, 'routes'>;
}

/** All routes of the application: the API under `/api`, `/healthz`, the scripts for other sites, the dashboard and the site. */
export function createRoutes(input: RoutesInput): RoutedApp {
  const { store, admin, invites, log = silentLog } = input;
  const context = routeContext(input, input);
  const https = context.publicUrl?.protocol === 'https:';
  const cookie = adminCookie(https, input.sessionCookie);
  const app = new Hono<AppEnv>();
  mountSignups(app, context, input);
  mountList(app, context, store.list);
  if (invites?.key) mountInvites(app, context, store, invites.key);
  if (admin) app.route(`${DEFAULT_BASE}/admin`, adminRoutes({ service: admin, store, context, cookie, https }));
  mountHealthCheck(app, context, store, log);
  mountBrand(app, context);
  mountDocument(app, context, cookie.name);
  mountFiles(app, context, input, https);
  respondToOthers(app, context, 405, 'Method not allowed\n', { Allow: 'GET, HEAD' });
  return {
    router: app,
    fetch: (request, source) => app.fetch(request, source),
    handles: (path) => handles(path, input, context),
  };
}

/** The routes of `createHandler`. */
export function createVisitorRoutes(context: RouteContext, adapter: StorageAdapter): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  mountVisitorRoutes(app, context, adapter);
  mountSignupForm(app, context, adapter);
  mountDocument(app, context, adminCookie(context.publicUrl?.protocol === 'https:').name);
  respondToOthers(app, context, 404, 'Not found\n');
  return app;
}

/** Signups and sessions, from scripts and from forms, with the human check if there is one. */
function mountSignups(app: Hono<AppEnv>, context: RouteContext, input: RoutesInput): void {
  const { store, verifyHuman = null, adminEmail = null, clock = Date.now } = input;
  const { count, wakeMail } = context;
  const adapter = storeAdapter(store, adminEmail, wakeMail);
  if (verifyHuman === null) {
    mountVisitorRoutes(app, context, adapter);
    mountSignupForm(app, context, adapter);
    return;
  }
  mountVisitorRoutes(app, context, adapter, humanCheck({ verifyHuman, tokens: store.humanTokens, count, clock }));
  mountChallenge(app, context, verifyHuman);
  // A form without scripts has no token, so the person confirms the address instead.
  const createSignup: VisitorStore['createSignup'] = (signup) => store.createSignup(signup, { confirm: true });
  const formAdapter = storeAdapter({ ...store, createSignup }, adminEmail, wakeMail);
  mountSignupForm(app, context, formAdapter, { confirms: true });
}

/** The dashboard, the scripts for other sites, and the site. */
function mountFiles(app: Hono<AppEnv>, { count, origins }: RouteContext, input: RouteOptions, https: boolean): void {
  const { site, embed = new Map(), dashboard, verifyHuman } = input;
  const respondFromSite = siteResponder(site, https, verifyHuman?.pageSources);
  const respondWithDashboard = dashboardResponder(dashboard, https);
  const respondWithScript = scriptResponder(embed, origins, https);
  app.get('*', (c) => {
    const { path } = c.req;
    if (isApi(path)) return unknownRoute(path);
    // Next.js drops the Content-Encoding of a route's response, and compresses by itself.
    const acceptEncoding = 'nextUrl' in c.req.raw ? undefined : c.req.header('accept-encoding');
    const request = { path, acceptEncoding, ifNoneMatch: c.req.header('if-none-match') };
    const [origin, host] = [c.req.header('origin'), c.req.header('host')];
    const file = respondWithDashboard(request) ?? respondWithScript({ ...request, origin, host });
    if (file !== undefined) return file;
    const page = respondFromSite(request);
    if (isPageForRobot(page, c.req.header('user-agent'))) count('robots');
    return page;
  });
}

/** A crawler that runs no scripts starts no session, but it reads pages. */
function isPageForRobot(response: Response, userAgent = ''): boolean {
  const isPage = response.ok && response.headers.get('content-type')?.startsWith('text/html') === true;
  return isPage && isRobot(userAgent.slice(0, MAX_LENGTH.user_agent));
}

/** Responds to requests without a route, and to errors that no route has caught. */
function respondToOthers(
  app: Hono<AppEnv>,
  context: RouteContext,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  app.notFound(
    ({ req: { path } }) =>
      apiNotFound(path, context) ?? new Response(text, { status, headers: { ...PLAIN_HEADERS, ...headers } }),
  );
  app.onError(failed(context));
}

function handles(path: string, { site, embed, dashboard }: RouteOptions, { noteMistake }: RouteContext): boolean {
  const mistake = findPathMistake(path);
  // A host may have another `/signups`.
  if (mistake === 'path-prefixed') noteMistake(mistake);
  if (isDashboard(path)) return dashboard !== undefined;
  return isOwnPath(path) || embed?.has(path) === true || site?.assets.has(path) === true;
}
