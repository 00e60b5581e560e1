import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { AdminEmail } from '../app/access/admin-check.ts';
import { type ClientNetwork, clientNetworks } from '../app/access/client-networks.ts';
import { type OriginPolicy, originPolicy, originRefusal, originRefusalLog } from '../app/access/origins.ts';
import { type RateLimiter, type RateLimits, type RateLimitUse, usesOf } from '../app/access/rate-limits.ts';
import type { BrandOfSite } from '../app/brand.ts';
import type { Clock } from '../app/clock.ts';
import { type Log, reasonOf } from '../app/log.ts';
import type { Store } from '../stores/store.ts';
import { readBody } from './body.ts';
import { Failure } from './failure.ts';

/** Where a request comes from, as its host knows it. */
export interface RequestSource {
  /**
   * The client's IP address, for rate limits. Never pass what the client could have written itself, such as a header that no proxy of yours
   * overwrites. Without an address all clients share the limits of one.
   */
  readonly clientAddress?: string | undefined;
  /** The socket, as Hono's Node server passes it. */
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } | undefined;
}

export interface AppEnv {
  Bindings: RequestSource;
}
export type AppContext = Context<AppEnv>;

/** The part of a store that routes use. */
export type RequestStore = Pick<Store, 'createSignup' | 'startSession' | 'updateSession' | 'readSummary' | 'ping'>;

export interface RouteContextOptions {
  readonly store: RequestStore;
  /** Called when there may be a message to deliver. */
  readonly wakeMail: () => void;
  readonly limiter: RateLimiter<keyof RateLimits>;
  readonly adminEmail: AdminEmail;
  readonly publicUrl: URL | null;
  readonly brand: BrandOfSite;
  /** Null if the host has no setting for them. */
  readonly allowedOrigins: Iterable<string> | null;
  readonly trustProxy: number;
  /** Called for each request that could come from anyone, because the host says no address. */
  readonly noteUnknownClient: () => void;
  /** Called for each visit of a robot. */
  readonly noteRobot: () => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** What the routes share. */
export interface RouteContext
  extends Pick<
    RouteContextOptions,
    'store' | 'wakeMail' | 'noteRobot' | 'limiter' | 'adminEmail' | 'publicUrl' | 'brand'
  > {
  readonly origins: OriginPolicy;
  /** The origin of another site's page that may call here; undefined for every other caller. */
  allowedOrigin(c: AppContext): string | undefined;
  /** What the client is counted by. */
  clientOf(c: AppContext): readonly ClientNetwork[];
  /** Throws a `Failure` if the page's origin is foreign. */
  checkOrigin(c: AppContext): void;
  /** Returns the body's text. Throws if the origin, the rate limit, the content type or the body is refused, in this order. */
  readText(
    c: AppContext,
    limit: keyof RateLimits,
    types: readonly string[],
    alsoLimited?: RateLimitUse<keyof RateLimits>,
  ): Promise<string>;
  /** Logs a failure that is the server's own. */
  report(failure: Failure, c: AppContext): void;
}

export function routeContext(options: RouteContextOptions): RouteContext {
  const { limiter, publicUrl, allowedOrigins, trustProxy, noteUnknownClient, clock, log } = options;
  const origins = originPolicy({ site: publicUrl, allowedOrigins: allowedOrigins ?? [] });
  const logForeignOrigin = originRefusalLog({
    log,
    clock,
    fix:
      allowedOrigins === null
        ? 'if this is a page of the site, set PUBLIC_URL to its origin'
        : 'if this page may sign people up, add its origin to ALLOWED_ORIGINS',
  });

  const judge = (c: AppContext) => origins.judge(c.req.header('origin'), c.req.header('host'));

  function clientOf(c: AppContext): readonly ClientNetwork[] {
    const remoteAddress = c.env?.clientAddress ?? c.env?.incoming?.socket.remoteAddress;
    const forwardedFor = trustProxy > 0 ? c.req.header('x-forwarded-for') : undefined;
    if (remoteAddress === undefined && forwardedFor === undefined) noteUnknownClient();
    return clientNetworks({ remoteAddress, forwardedFor }, trustProxy);
  }

  function checkOrigin(c: AppContext): void {
    if (judge(c) !== 'foreign') return;
    const origin = c.req.header('origin');
    logForeignOrigin(origin);
    throw new Failure(403, 'forbidden', originRefusal(origin).message);
  }

  return {
    ...options,
    origins,
    allowedOrigin(c) {
      const origin = c.req.header('origin');
      return origin !== undefined && judge(c) === 'allowed' ? origin : undefined;
    },
    clientOf,
    checkOrigin,
    async readText(c, limit, types, alsoLimited) {
      checkOrigin(c);
      const uses = usesOf(limit, clientOf(c));
      await limiter.take(alsoLimited ? [...uses, alsoLimited] : uses);
      const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      if (!types.includes(type)) throw new Failure(415, 'invalid', `the body must be ${types.join(' or ')}`);
      return readBody(c.req.raw);
    },
    report(failure, c) {
      if (failure.status < 500) return;
      // The route's pattern, not the path: a client can put an address into a path.
      log('error', 'request-failed', { route: routePath(c), status: failure.status, reason: reasonOf(failure) });
    },
  };
}
