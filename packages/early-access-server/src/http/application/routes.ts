import { isRobot, MAX_LENGTH, type StorageAdapter } from 'early-access-kit/internal';
import type { Hono } from 'hono';
import { POLICY_ADVICE } from '../../app/access/page-policy.ts';
import type { Tally } from '../../app/analytics/analytics.ts';
import { humanCheck, NO_TOKEN } from '../../app/human/human-check.ts';
import { signupCount } from '../../app/people/signup-count.ts';
import type { Store } from '../../app/ports/store.ts';
import { findClosed } from '../../app/signup/list-status.ts';
import type { SignupSteps } from '../../app/signup/sign-up.ts';
import { adminCookie } from '../admin/admin-cookie.ts';
import { adminRoutes } from '../admin/admin-routes.ts';
import type { AdminService } from '../admin/admin-service.ts';
import { isDashboard, mountDashboard } from '../pages/dashboard-page.ts';
import { JOIN_PAGE } from '../pages/form-page.ts';
import { siteResponder } from '../pages/site/respond.ts';
import { findBlockedInSite, type Site } from '../pages/site/site.ts';
import { mountEmbed } from '../public/embed.ts';
import { isHostedForm, mountHostedForms } from '../public/hosted-forms.ts';
import { mountChallenge } from '../public/human-challenge.ts';
import { mountInvitePage, mountInvites } from '../public/invite-routes.ts';
import { findOwnLink, listLinkPages, mountLinkRedirects } from '../public/link-redirects.ts';
import { mountLinks } from '../public/list-routes.ts';
import { mountMailEvents } from '../public/mail-event-routes.ts';
import { mountNewLinks } from '../public/new-link-route.ts';
import { mountShare } from '../public/share-routes.ts';
import { mountSignupCount } from '../public/signup-count.ts';
import { mountSignupForm } from '../public/signup-form.ts';
import { mountStatus } from '../public/status-routes.ts';
import { storeAdapter, storeSignup } from '../public/store-adapter.ts';
import { mountVisitorRoutes } from '../public/visitor-routes.ts';
import { failureResponse } from '../routing/failure.ts';
import { measured, noteFailure } from '../routing/mount-route.ts';
import { mountDocument } from '../routing/openapi/document-route.ts';
import { findPathMistake, isApi, isOwnRoute, isStatusRoute, METRICS_PATH } from '../routing/own-paths.ts';
import {
  type AppContext,
  type AppEnv,
  type RequestSource,
  type RouteContext,
  type RouteEvents,
  routeContext,
} from '../routing/request-context.ts';
import { type PageHeaders, PLAIN_HEADERS, pageHeaders } from '../routing/security-headers.ts';
import { AGENT_DOCS, mountAgentDocs } from './agent-docs.ts';
import { apiNotFound, unknownRoute } from './fallbacks.ts';
import type { RouteOptions } from './options.ts';
import type { ReadMetrics } from './server-metrics.ts';
import { mountBrand, mountHealthCheck, mountMetrics } from './server-routes.ts';

/** The request-handling part of the application. */
export interface App {
  /** Responds to a request; never rejects. The URL must contain the whole path, starting with `/api`. */
  fetch(request: Request, source?: RequestSource): Response | Promise<Response>;
  /**
   * Returns whether a path belongs to the application: its routes below `/api`, `/confirm`, `/unsubscribe`, `/join`,
   * `/form`, `/status` and `/invite` if they are on, `/admin` if there is a dashboard, variants of links to these pages
   * that mail filters create, its embed scripts, and its site. A host passes these to `fetch` and handles all others,
   * including its own routes below `/api`.
   */
  handles(path: string): boolean;
}

interface RoutesInput extends RouteOptions, RouteEvents {
  readonly store: Store;
  /** Without it there are no admin routes. */
  readonly admin?: AdminService;
  /** The admins to notify if complaints pause campaigns. */
  readonly listNotified?: () => Promise<readonly string[]>;
  /** Without it, or without the option `metrics`, there are no metrics. */
  readonly readMetrics?: ReadMetrics | undefined;
}

/** Tests iterate over the router's routes. */
export interface RoutedApp extends App {
  readonly router: Pick<Hono<AppEnv>, 'routes'>;
}

/**
 * All routes of the application: the API under `/api`, `/healthz`, the scripts for other sites, the dashboard and the
 * site.
 */
export function createRoutes(input: RoutesInput): RoutedApp {
  const { store, admin, invites, share, mailEvents } = input;
  const context = routeContext(input, input, listLinkPages(input));
  const { app } = context;
  mountLinkRedirects(context);
  const cookie = adminCookie(context.https, input.sessionCookie);
  mountSignups(context, input);
  mountLinks(context, store, share ?? null);
  const readCount = input.signupCount ? signupCount(input.signupCount, { store, clock: context.clock }) : null;
  mountHostedForms(context, {
    readCount,
    async readClosed() {
      const { status, people } = await store.listStatus.read();
      return findClosed(status, people, context.clock());
    },
  });
  if (context.statusPage) mountStatus(context, { store, copies: admin?.mailCopies ?? null, share: share ?? null });
  mountNewLinks(context, store.list);
  if (invites) mountInvitePage(context, invites.url);
  if (invites?.key) mountInvites(context, store, invites.key);
  if (share) mountShare(context, store.share, share);
  if (readCount) mountSignupCount(context, readCount);
  if (mailEvents) {
    const { listNotified: admins = async () => [], wakeMail = () => {} } = input;
    mountMailEvents(context, store.list, { store, admins, wakeMail, log: context.log }, mailEvents);
  }
  if (admin) adminRoutes({ service: admin, store, context, cookie });
  mountHealthCheck(context, store);
  mountBrand(context);
  if (input.metrics && input.readMetrics) mountMetrics(context, input.metrics.key, input.readMetrics);
  mountDocument(context, cookie.name);
  if (input.agentDocs) mountAgentDocs(context, cookie.name);
  mountFiles(context, input);
  respondToOthers(context, 405, 'Method not allowed\n', { Allow: 'GET, HEAD' });
  return {
    router: app,
    fetch: (request, source) => app.fetch(request, source),
    handles: (path) => handles(path, input, context),
  };
}

export function createVisitorRoutes(context: RouteContext, adapter: StorageAdapter): Hono<AppEnv> {
  const steps: SignupSteps = {
    ...context,
    checkHuman: null,
    store: (signup, { language }) => adapter.createSignup(signup, language ?? undefined),
  };
  mountVisitorRoutes(context, adapter, steps);
  mountSignupForm(context, adapter, steps);
  mountHostedForms(context);
  mountDocument(context, adminCookie(context.https).name);
  respondToOthers(context, 404, 'Not found\n');
  return context.app;
}

/** Mounts signups and sessions, from scripts and forms, with the human check if there is one. */
function mountSignups(context: RouteContext, input: RoutesInput): void {
  const { store, verifyHuman = null, adminEmail = null, clock = Date.now } = input;
  const { wakeMail, noteRefusal } = context;
  const count = (tally: Tally) => {
    context.count(tally);
    if (tally === 'human_missing') noteRefusal('human-check', NO_TOKEN);
  };
  const adapter = storeAdapter(store, adminEmail, wakeMail);
  const checkHuman = verifyHuman && humanCheck({ verifyHuman, tokens: store.humanTokens, count, clock });
  const steps: SignupSteps = { ...context, checkHuman, store: storeSignup(store, wakeMail) };
  mountVisitorRoutes(context, adapter, steps, store);
  mountSignupForm(context, adapter, steps);
  if (verifyHuman !== null) mountChallenge(context, verifyHuman);
}

function mountFiles(context: RouteContext, { site, embed, dashboard, verifyHuman }: RouteOptions): void {
  const { app, count } = context;
  if (site) noteBlocked(site, pageHeaders(site.policy, verifyHuman?.pageSources), context);
  const respondFromSite = siteResponder(site, verifyHuman?.pageSources, context.frames.isOn);
  if (dashboard !== undefined) mountDashboard(context, dashboard);
  if (embed) mountEmbed(context, embed);
  const respond = (c: AppContext) => {
    if (isApi(c.req.path)) return unknownRoute(c.req.path);
    if (site === undefined && context.hasJoinPage && c.req.path === '/') return redirectToJoinPage(c);
    const page = respondFromSite(c);
    if (isPageForRobot(page, c.req.header('user-agent'))) count('robots');
    return page;
  };
  app.get('*', measured(context, '*', respond));
}

/** Logs resources that the site's pages reference but whose policy blocks. */
function noteBlocked(site: Site, headers: PageHeaders, { log, publicUrl }: RouteContext): void {
  const url = publicUrl ?? new URL('http://localhost');
  const blocked = findBlockedInSite(site, headers['Content-Security-Policy'], url);
  if (blocked.length > 0) log('warn', 'site-policy', { blocked: blocked.join(', '), fix: POLICY_ADVICE });
}

/** Preserves the query, which may contain the visitor's campaign. */
function redirectToJoinPage(c: AppContext): Response {
  return c.redirect(JOIN_PAGE + new URL(c.req.url).search);
}

/** Returns whether a bot is reading a page. Bots that run no scripts start no session. */
function isPageForRobot(response: Response, userAgent = ''): boolean {
  const isPage = response.ok && response.headers.get('content-type')?.startsWith('text/html') === true;
  return isPage && isRobot(userAgent.slice(0, MAX_LENGTH.user_agent));
}

/** Responds to unknown routes, and to errors that no route has caught. */
function respondToOthers(
  context: RouteContext,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  context.app.notFound(
    ({ req: { path } }) =>
      apiNotFound(path, context) ?? new Response(text, { status, headers: { ...PLAIN_HEADERS, ...headers } }),
  );
  context.app.onError((error, c) => failureResponse(noteFailure(error, c, context)));
}

function handles(
  path: string,
  { site, embed, dashboard, agentDocs, metrics }: RouteOptions,
  context: RouteContext,
): boolean {
  const mistake = findPathMistake(path);
  // A host may have its own `/signups`.
  if (mistake === 'path-prefixed') context.noteMistake(mistake);
  if (findOwnLink(path, context) !== null) return true;
  if (context.statusPage && isStatusRoute(path)) return true;
  if (isDashboard(path)) return dashboard !== undefined;
  if (path === METRICS_PATH) return metrics !== undefined;
  if (agentDocs && AGENT_DOCS.includes(path)) return true;
  return (
    isOwnRoute(path) || isHostedForm(path, context) || embed?.has(path) === true || site?.assets.has(path) === true
  );
}
