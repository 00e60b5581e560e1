import { DEFAULT_BASE } from 'early-access-kit/core';
import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { memoryRateLimiter } from '../app/access/memory-rate-limiter.ts';
import { originPolicy, originRefusalLog } from '../app/access/origins.ts';
import { DEFAULT_RATE_LIMITS, type RateLimits } from '../app/access/rate-limits.ts';
import type { Clock } from '../app/clock.ts';
import type { Log } from '../app/log.ts';
import { reasonOf, silentLog } from '../app/log.ts';
import { failureResponse, mountApi, unknownRoute } from './api.ts';
import { scriptResponder } from './embed/respond.ts';
import type { EmbedScripts } from './embed/scripts.ts';
import { type Failure, toFailure } from './failure.ts';
import { type AppContext, type AppEnv, gate } from './gate.ts';
import { PLAIN_HEADERS } from './plain-headers.ts';
import type { Mailer, RequestStore, RouteTools } from './route-tools.ts';
import { mountSignupForm } from './signup-form.ts';
import { siteResponder } from './site/respond.ts';
import type { Site } from './site/site.ts';

const HEALTH_HEADERS = { ...PLAIN_HEADERS, 'Cache-Control': 'no-store' };

export interface AppOptions {
  readonly store: RequestStore;
  readonly mailer: Mailer;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Who may read the numbers; nobody where it is null. */
  readonly adminEmail?: string | null;
  /** Where visitors reach the site, for telling own pages from foreign ones and TLS from none. */
  readonly publicUrl?: URL | null;
  /** Other origins whose pages may write; `https://*.example.com` allows exactly one leading label. */
  readonly allowedOrigins?: Iterable<string>;
  /** Number of proxies in front whose X-Forwarded-For is believed. */
  readonly trustProxy?: number;
  readonly rateLimits?: Partial<RateLimits>;
  /** The pages to serve; null where they are not built. */
  readonly site?: Site | null;
  /** The scripts for pages of other sites. */
  readonly embed?: EmbedScripts;
}

export interface App {
  /** Answers a request; never rejects. `env` is what Hono's Node server hands over. */
  fetch(request: Request, env?: AppEnv['Bindings']): Response | Promise<Response>;
}

/** The whole server but for its socket: the API under `/api`, `/healthz`, the scripts for other sites, and the site. */
export function createApp(options: AppOptions): App {
  const { store, mailer, clock = Date.now, log = silentLog, publicUrl = null, site = null } = options;
  const limiter = memoryRateLimiter({ ...DEFAULT_RATE_LIMITS, ...options.rateLimits }, clock);
  const origins = originPolicy({ site: publicUrl, allowedOrigins: options.allowedOrigins ?? [] });
  const https = publicUrl?.protocol === 'https:';
  const answerFromSite = siteResponder(site, https);
  const answerWithScript = scriptResponder(options.embed ?? new Map(), origins, https);
  const tools: RouteTools = {
    store,
    mailer,
    origins,
    limiter,
    gate: gate({
      origins,
      onForeignOrigin: originRefusalLog({
        log,
        clock,
        fix: 'if this page may sign people up, add its origin to ALLOWED_ORIGINS',
      }),
      limiter,
      trustProxy: options.trustProxy ?? 0,
    }),
    adminEmail: options.adminEmail ?? null,
    report,
  };

  function report(failure: Failure, c: AppContext): void {
    if (failure.status < 500) return;
    // The route's pattern, not the path: what a client puts into a path stays out of the log.
    log('error', 'request-failed', { route: routePath(c), status: failure.status, reason: reasonOf(failure) });
  }

  const app = new Hono<AppEnv>();
  mountApi(app, tools);
  mountSignupForm(app, tools);

  app.get('/healthz', (c) => {
    try {
      store.ping();
      return c.json({ status: 'ok' }, 200, HEALTH_HEADERS);
    } catch (error) {
      log('error', 'unhealthy', { reason: reasonOf(error) });
      return c.json({ status: 'unavailable' }, 503, HEALTH_HEADERS);
    }
  });

  app.get('*', (c) => {
    const { path } = c.req;
    if (isApi(path)) return unknownRoute(path);
    const [acceptEncoding, ifNoneMatch] = [c.req.header('accept-encoding'), c.req.header('if-none-match')];
    const request = { path, acceptEncoding, ifNoneMatch };
    const [origin, host] = [c.req.header('origin'), c.req.header('host')];
    return answerWithScript({ ...request, origin, host }) ?? answerFromSite(request);
  });

  app.notFound(({ req: { path } }) =>
    isApi(path)
      ? unknownRoute(path)
      : new Response('Method not allowed\n', { status: 405, headers: { ...PLAIN_HEADERS, Allow: 'GET, HEAD' } }),
  );

  app.onError((error, c) => {
    const failure = toFailure(error);
    report(failure, c);
    return failureResponse(failure);
  });

  return { fetch: (request, env) => app.fetch(request, env) };
}

function isApi(path: string): boolean {
  return path === DEFAULT_BASE || path.startsWith(`${DEFAULT_BASE}/`);
}
