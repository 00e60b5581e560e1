import type { FieldDeclarations } from 'early-access-kit/core';
import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import {
  type ClientNetwork,
  type Connection,
  clientAddress,
  clientNetworks,
  sharedNetworks,
} from '../../app/access/client-networks.ts';
import { formFrames, type HostedForms } from '../../app/access/form-frames.ts';
import type { MountMistake } from '../../app/access/host-mistakes.ts';
import { isLoopback } from '../../app/access/loopback.ts';
import { memoryRateLimiter } from '../../app/access/memory-rate-limiter.ts';
import {
  NO_ORIGIN,
  type OriginVerdict,
  originPolicy,
  originRefusal,
  originRefusalLog,
} from '../../app/access/origins.ts';
import { DEFAULT_RATE_LIMITS, listUses, type RateLimits } from '../../app/access/rate-limits.ts';
import { sharedAddressWatch } from '../../app/access/shared-address.ts';
import { judgeSuccessPage } from '../../app/access/success-page.ts';
import type { Tally } from '../../app/analytics/analytics.ts';
import { readCountry } from '../../app/analytics/country.ts';
import { type BrandOfSite, DEFAULT_BRAND } from '../../app/brand/brand.ts';
import type { LinkPage } from '../../app/people/meant-link.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Dns } from '../../app/ports/dns.ts';
import { type Log, silentLog } from '../../app/ports/log.ts';
import type { RateLimiter } from '../../app/ports/rate-limiter.ts';
import { ADDRESS_PROBLEMS, type AddressRules, addressCheck } from '../../app/signup/address-check.ts';
import { checkedFields } from '../../app/signup/fields.ts';
import type { SignupRefusal } from '../../app/signup/signup-refusals.ts';
import { nodeDns } from '../../dns/node-dns.ts';
import { resolveTexts, type ServerTexts } from '../pages/page-texts.ts';
import { readBody } from './body.ts';
import { Failure } from './failure.ts';
import type { DescribedRoute } from './openapi/route.ts';
import { TLS_ONLY } from './security-headers.ts';

/** Information from the host about the origin of a request. */
export interface RequestSource {
  /**
   * The client's IP address, for rate limits. Never pass a value that the client can forge, such as a header that your
   * proxy does not overwrite. Without an address, all clients share a single limit.
   */
  readonly clientAddress?: string | undefined;
  /**
   * The address that connected to the last proxy. Needed if clients can bypass the proxies before it and thus forge
   * `clientAddress`. It has its own limits, in addition to those for all clients together.
   */
  readonly proxyAddress?: string | undefined;
  /** The socket, as passed by Hono's Node server. */
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } | undefined;
}

export interface AppEnv {
  Bindings: RequestSource;
}
export type AppContext = Context<AppEnv>;

/** Options shared by the routes. All have defaults. */
export interface RouteContextOptions {
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** The site's public URL: for origin checks, links and `Strict-Transport-Security`. */
  readonly publicUrl?: URL | undefined;
  /** The product's name and look, on result pages and in emails. */
  readonly brand?: BrandOfSite | undefined;
  /**
   * Your own texts, by language, for the signup, confirm and unsubscribe pages, the results of forms without scripts,
   * and "check your inbox". Unknown keys throw a `ConfigError`.
   */
  readonly texts?: ServerTexts | undefined;
  /** The fields of the signup form besides the address, declared as on the page. Default: none. */
  readonly fields?: FieldDeclarations | undefined;
  /** Rejects addresses of temporary mailboxes, based on a list of domains. Default: false. */
  readonly blockDisposable?: boolean | undefined;
  /** Your own rules for addresses, which take precedence over all others. Contradictions throw a `ConfigError`. */
  readonly addressRules?: AddressRules | undefined;
  /**
   * Rejects addresses whose domain certainly receives no email because it does not exist, or has neither mail servers
   * nor addresses. Domains that cannot be resolved in time are accepted. Default: false. A `Dns` is used instead of the
   * machine's DNS servers.
   */
  readonly checkMx?: boolean | Dns | undefined;
  /**
   * Further origins whose pages may write. `https://*.example.com` allows exactly one leading label. While the
   * application is reached at `localhost` or `127.0.0.1`, pages there may also write, on any port.
   */
  readonly allowedOrigins?: Iterable<string> | undefined;
  /** The server's own form pages, `/join` and `/form`. Default: none. */
  readonly hostedForms?: HostedForms | undefined;
  /** The number of proxies in front that append to X-Forwarded-For. Default: 0. */
  readonly trustProxy?: number | undefined;
  /**
   * The header with the visitor's country that your platform sets, such as `CF-IPCountry`. Default: none, because
   * anyone can send a header that no proxy overwrites.
   */
  readonly countryHeader?: string | undefined;
  /** Replaces some of the limits in `DEFAULT_RATE_LIMITS`. */
  readonly rateLimits?: Partial<RateLimits> | undefined;
  /** Replaces the in-memory limiter, for hosts with several instances. `rateLimits` is ignored in this case. */
  readonly rateLimiter?: RateLimiter<keyof RateLimits> | undefined;
  /**
   * Returns whether the host forwards requests to the route with this path. Others are left out of the OpenAPI
   * document. Default: all are forwarded.
   */
  readonly isReached?: ((path: string) => boolean) | undefined;
}

/** Options of an application with a list. */
export interface ListContextOptions extends RouteContextOptions {
  /**
   * Gives each person a private page at `/status`, which their emails link to. It shows their state and data, and lets
   * them change their address and leave the list. Default: false.
   */
  readonly statusPage?: boolean | undefined;
  /**
   * The minimum duration of a request for a new link, in milliseconds. Must be longer than the store takes, so that the
   * time does not reveal whether an email is sent. Default: 500.
   */
  readonly newLinkMs?: number | undefined;
}

/** Events that the routes report to the application. */
export interface RouteEvents {
  /** Called when there may be a message to deliver. */
  readonly wakeMail?: () => void;
  /** Called for each event that is only counted. */
  readonly count?: (tally: Tally) => void;
  /** Called if a request shows that the host mounted the application incorrectly. */
  readonly noteMistake?: (mistake: MountMistake) => void;
  /** Called if a signup is rejected because of a mistake in its page, or because of its address. */
  readonly noteRefusal?: (reason: SignupRefusal, problem: string) => void;
  /** Called for each response, if response times are measured. */
  readonly noteResponse?: ((response: MeasuredResponse) => void) | undefined;
}

export interface MeasuredResponse {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** Time until the response began. */
  readonly seconds: number;
}

export type RouteContext = ReturnType<typeof routeContext>;

/** `linkPages`: the mounted pages of email links. */
export function routeContext(
  options: ListContextOptions,
  {
    wakeMail = () => {},
    count = () => {},
    noteMistake = () => {},
    noteRefusal = () => {},
    noteResponse,
  }: RouteEvents = {},
  linkPages: readonly LinkPage[] = [],
) {
  const { publicUrl = null, brand = DEFAULT_BRAND, allowedOrigins, trustProxy = 0 } = options;
  const { clock = Date.now, log = silentLog, rateLimits, rateLimiter, hostedForms = {} } = options;
  const { blockDisposable = false, addressRules, checkMx } = options;
  const routes: DescribedRoute[] = [];
  const isLocal = publicUrl === null || isLoopback(publicUrl.hostname);
  const https = publicUrl?.protocol === 'https:';
  /**
   * A mail filter may add a slash to a link. It is removed here, because a redirect would loop if the host adds a slash
   * to every path.
   */
  const app = new Hono<AppEnv>({
    getPath(request) {
      const path = getPath(request);
      return linkPages.some((page) => path === `/${page}/`) ? path.slice(0, -1) : path;
    },
  });
  if (https) {
    app.use(async (c, next) => {
      await next();
      c.header(...TLS_ONLY);
    });
  }
  return {
    app,
    linkPages,
    routes,
    isReached: options.isReached ?? (() => true),
    wakeMail,
    count,
    noteMistake,
    noteRefusal,
    noteResponse: noteResponse ?? null,
    clock,
    log,
    limiter: rateLimiter ?? memoryRateLimiter({ ...DEFAULT_RATE_LIMITS, ...rateLimits }, clock),
    publicUrl,
    https,
    isLocal,
    trustProxy,
    countryHeader: options.countryHeader ?? null,
    watchAddress: sharedAddressWatch(() => noteMistake('clients-share-address')),
    brand,
    /** The target of links back to the site. */
    homeUrl: brand.url ?? publicUrl?.href ?? '/',
    texts: resolveTexts(options.texts),
    fields: checkedFields(options.fields),
    statusPage: options.statusPage ?? false,
    newLinkMs: options.newLinkMs ?? 500,
    checkAddress: addressCheck({
      blockDisposable,
      rules: addressRules,
      dns: checkMx === true ? nodeDns() : checkMx || null,
      onProblem: (problem) => noteRefusal(problem, ADDRESS_PROBLEMS[problem]),
      log,
      clock,
    }),
    origins: originPolicy({
      site: publicUrl,
      allowedOrigins: allowedOrigins ?? [],
      allowsLocal: isLocal && trustProxy === 0,
    }),
    hasJoinPage: hostedForms.joinPage ?? false,
    frames: formFrames(hostedForms, publicUrl),
    logRefusedFrame: originRefusalLog({
      log,
      clock,
      event: 'frame-refused',
      fix: 'if this page may show the form, add its origin to FORM_ORIGINS, or a form key to the URL of the iframe',
      fixNull: 'the page around the form does not say its origin: add a form key (FORM_KEYS) to the URL of the iframe',
    }),
    logForeignOrigin: originRefusalLog({
      log,
      clock,
      event: 'origin-refused',
      fixNull: NO_ORIGIN,
      fix:
        allowedOrigins === undefined
          ? 'if this is a page of the site, set PUBLIC_URL to its origin'
          : 'if this page may sign people up, add its origin to ALLOWED_ORIGINS',
    }),
  };
}

/** Where the request comes from. */
export function judgeOrigin(c: AppContext, { origins }: RouteContext): OriginVerdict {
  return origins.judge(c.req.header('origin'), c.req.header('host'));
}

/**
 * The page that a form asks to redirect to after a successful signup. Undefined if there is none, or if it is not
 * allowed, which is logged.
 */
export function findSuccessPage(
  given: string | null | undefined,
  c: AppContext,
  context: RouteContext,
): string | undefined {
  if (!given) return undefined;
  const [origin, host] = [c.req.header('origin') ?? 'null', c.req.header('host')];
  const isAllowed = (page: string) =>
    context.origins.judge(page, host) !== 'foreign' || context.frames.allows(page, host);
  const base = origin === 'null' ? (context.publicUrl?.href ?? c.req.url) : origin;
  const page = judgeSuccessPage(given, base, isAllowed);
  if ('url' in page) return page.url;
  context.logForeignOrigin(page.refused);
  return undefined;
}

/** The origin of a page on another site that may call the API. Undefined for all other callers. */
export function allowedOrigin(c: AppContext, context: RouteContext): string | undefined {
  return judgeOrigin(c, context) === 'allowed' ? c.req.header('origin') : undefined;
}

/** Throws a `Failure` if the origin is foreign. */
export function checkOrigin(c: AppContext, context: RouteContext): void {
  if (judgeOrigin(c, context) !== 'foreign') return;
  const origin = c.req.header('origin');
  context.logForeignOrigin(origin);
  throw new Failure(403, 'forbidden', originRefusal(origin).message);
}

/** The country in the platform's header, if the host has configured which header that is. */
export function readCountryOf(c: AppContext, { countryHeader }: RouteContext): string | null {
  return countryHeader === null ? null : readCountry(c.req.header(countryHeader));
}

export function readAddress(c: AppContext, { trustProxy }: RouteContext): string | undefined {
  return clientAddress(readConnection(c, trustProxy), trustProxy);
}

/** The networks that the client is counted under. */
export function identifyClient(c: AppContext, { trustProxy, noteMistake }: RouteContext): readonly ClientNetwork[] {
  const connection = readConnection(c, trustProxy);
  if (connection.remoteAddress === undefined && connection.forwardedFor === undefined) noteMistake('client-unknown');
  else if (isProxyIgnored(c, trustProxy)) noteMistake('proxy-not-trusted');
  const proxyAddress = c.env?.proxyAddress;
  const networks = clientNetworks(connection, trustProxy);
  return proxyAddress === undefined ? networks : [...networks, ...sharedNetworks(proxyAddress)];
}

/**
 * Returns whether a request seems to come through a proxy although the host has not configured one: it was forwarded
 * for an address other than this machine.
 */
function isProxyIgnored(c: AppContext, trustProxy: number): boolean {
  if (trustProxy > 0 || c.env?.clientAddress !== undefined) return false;
  const last = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  return last !== undefined && !isLoopback(last);
}

/** Counts a visitor, to warn if nearly all have the same address. Not for local requests, where that is normal. */
export function noteVisitor(c: AppContext, context: RouteContext): void {
  const [network] = identifyClient(c, context);
  if (network !== undefined && !context.isLocal) context.watchAddress(network.key);
}

function readConnection(c: AppContext, trustProxy: number): Connection {
  const remoteAddress = c.env?.clientAddress ?? c.env?.incoming?.socket.remoteAddress;
  const forwardedFor = trustProxy > 0 ? c.req.header('x-forwarded-for') : undefined;
  return { remoteAddress, forwardedFor };
}

/** Returns the body's text. Throws if the origin, rate limit, content type or body is rejected, in this order. */
export async function readText(
  c: AppContext,
  context: RouteContext,
  ...input: [limit: keyof RateLimits, types: readonly string[], maxBytes?: number]
): Promise<string> {
  checkOrigin(c, context);
  return readTextFromAnywhere(c, context, ...input);
}

/** Like `readText`, but without checking the origin. */
export async function readTextFromAnywhere(
  c: AppContext,
  context: RouteContext,
  limit: keyof RateLimits,
  types: readonly string[],
  maxBytes?: number,
): Promise<string> {
  await context.limiter.take(listUses(limit, identifyClient(c, context)));
  checkType(c, types);
  return readBody(c.req.raw, maxBytes);
}

/** Throws a `Failure` if the body has another media type. */
export function checkType(c: AppContext, types: readonly string[]): void {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type)) throw new Failure(415, 'invalid', `the body must be ${types.join(' or ')}`);
}
