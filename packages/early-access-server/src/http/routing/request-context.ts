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

/** Where a request comes from, as its host knows it. */
export interface RequestSource {
  /**
   * The client's IP address, for rate limits. Never pass what the client could have written itself, such as a header
   * that no proxy of yours overwrites. Without an address all clients share the limits of one.
   */
  readonly clientAddress?: string | undefined;
  /**
   * The address that connected to the last proxy, if a client can avoid the proxies before it and so choose
   * `clientAddress`. It has limits too, and so have all clients together.
   */
  readonly proxyAddress?: string | undefined;
  /** The socket, as Hono's Node server passes it. */
  readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } | undefined;
}

export interface AppEnv {
  Bindings: RequestSource;
}
export type AppContext = Context<AppEnv>;

/** The options that the routes share. Everything has a default. */
export interface RouteContextOptions {
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
  /** Where visitors reach the site: for origin checks, links and `Strict-Transport-Security`. */
  readonly publicUrl?: URL | undefined;
  /** The product's name and looks, on result pages and in emails. */
  readonly brand?: BrandOfSite | undefined;
  /**
   * Texts of your own for the pages to sign up, confirm and unsubscribe and the results of a form without scripts, by
   * language, and for "check your inbox". Unknown keys throw a `ConfigError`.
   */
  readonly texts?: ServerTexts | undefined;
  /** The fields that the signup form has besides the address: the declaration that the page uses. None by default. */
  readonly fields?: FieldDeclarations | undefined;
  /** Whether addresses of temporary mailboxes are refused, by a list of their domains. False by default. */
  readonly blockDisposable?: boolean | undefined;
  /** Your own rules for addresses, which come before all others. A contradiction throws a `ConfigError`. */
  readonly addressRules?: AddressRules | undefined;
  /**
   * Whether addresses are refused whose domain certainly receives no email: it does not exist, or has neither mail
   * servers nor addresses. A domain that DNS does not know in time is accepted. False by default. `Dns`: asks this
   * instead of the machine's DNS servers.
   */
  readonly checkMx?: boolean | Dns | undefined;
  /**
   * Other origins whose pages may write; `https://*.example.com` allows exactly one leading label. While the
   * application is reached at `localhost` or `127.0.0.1`, pages of these may write too, on any port.
   */
  readonly allowedOrigins?: Iterable<string> | undefined;
  /** The pages with the form that the server has itself: `/join` and `/form`. None by default. */
  readonly hostedForms?: HostedForms | undefined;
  /** The number of proxies in front that append to X-Forwarded-For. 0 by default. */
  readonly trustProxy?: number | undefined;
  /**
   * The header in which the platform in front names the country of a visitor, such as `CF-IPCountry`. None by default:
   * anyone can send a header that no proxy sets.
   */
  readonly countryHeader?: string | undefined;
  /** Limits that replace limits in `DEFAULT_RATE_LIMITS`. */
  readonly rateLimits?: Partial<RateLimits> | undefined;
  /** Replaces the limiter in memory, for hosts that run several instances. `rateLimits` is then ignored. */
  readonly rateLimiter?: RateLimiter<keyof RateLimits> | undefined;
  /**
   * Whether the host passes requests to the route with this path on. The OpenAPI document has no others. All by
   * default.
   */
  readonly isReached?: ((path: string) => boolean) | undefined;
}

/** The same of an application with a list. */
export interface ListContextOptions extends RouteContextOptions {
  /**
   * Whether each person has a private page at `/status`, which their emails link to: their state, their data, a change
   * of address, and the way off the list. False by default.
   */
  readonly statusPage?: boolean | undefined;
  /**
   * How long a request for a new link takes at least, in milliseconds: longer than the store does, so that the time
   * does not tell whether an email is sent. 500 by default.
   */
  readonly newLinkMs?: number | undefined;
}

/** The events that the routes report to the application. */
export interface RouteEvents {
  /** Called when there may be a message to deliver. */
  readonly wakeMail?: () => void;
  /** Called for each event that is only counted. */
  readonly count?: (tally: Tally) => void;
  /** Called if a request shows that the host mounted the application wrongly. */
  readonly noteMistake?: (mistake: MountMistake) => void;
  /** Called if a signup is refused for a mistake of its page, or for its address. */
  readonly noteRefusal?: (reason: SignupRefusal, problem: string) => void;
  /** Called for each response, if someone measures them. */
  readonly noteResponse?: ((response: MeasuredResponse) => void) | undefined;
}

export interface MeasuredResponse {
  readonly method: string;
  /** The route's pattern. */
  readonly route: string;
  readonly status: number;
  /** Until the response began. */
  readonly seconds: number;
}

export type RouteContext = ReturnType<typeof routeContext>;

/** `linkPages`: the pages of links in emails that are mounted. */
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
  /** A filter may add a slash to a link. A redirect that removes it would loop if a host adds a slash to every path. */
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
    /** Where pages lead back to. */
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

/** Whose page is calling. */
export function judgeOrigin(c: AppContext, { origins }: RouteContext): OriginVerdict {
  return origins.judge(c.req.header('origin'), c.req.header('host'));
}

/**
 * The page that a form asks to lead to after a success; undefined if it asks for none, or for one that it may not lead
 * to, which is logged.
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

/** The origin of another site's page that may call here; undefined for every other caller. */
export function allowedOrigin(c: AppContext, context: RouteContext): string | undefined {
  return judgeOrigin(c, context) === 'allowed' ? c.req.header('origin') : undefined;
}

/** Throws a `Failure` if the page's origin is foreign. */
export function checkOrigin(c: AppContext, context: RouteContext): void {
  if (judgeOrigin(c, context) !== 'foreign') return;
  const origin = c.req.header('origin');
  context.logForeignOrigin(origin);
  throw new Failure(403, 'forbidden', originRefusal(origin).message);
}

/** The country that the platform's header names, if the host says which header that is. */
export function readCountryOf(c: AppContext, { countryHeader }: RouteContext): string | null {
  return countryHeader === null ? null : readCountry(c.req.header(countryHeader));
}

/** The client's IP address, if it is known. */
export function readAddress(c: AppContext, { trustProxy }: RouteContext): string | undefined {
  return clientAddress(readConnection(c, trustProxy), trustProxy);
}

/** The networks by which the client is counted. */
export function identifyClient(c: AppContext, { trustProxy, noteMistake }: RouteContext): readonly ClientNetwork[] {
  const connection = readConnection(c, trustProxy);
  if (connection.remoteAddress === undefined && connection.forwardedFor === undefined) noteMistake('client-unknown');
  else if (isProxyIgnored(c, trustProxy)) noteMistake('proxy-not-trusted');
  const proxyAddress = c.env?.proxyAddress;
  const networks = clientNetworks(connection, trustProxy);
  return proxyAddress === undefined ? networks : [...networks, ...sharedNetworks(proxyAddress)];
}

/**
 * Whether a proxy, or a client that pretends to be one, names another address than this machine, and the host has not
 * said whose it is.
 */
function isProxyIgnored(c: AppContext, trustProxy: number): boolean {
  if (trustProxy > 0 || c.env?.clientAddress !== undefined) return false;
  const last = c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim();
  return last !== undefined && !isLoopback(last);
}

/** A visitor has come, for the warning if nearly all seem to be one. On this machine they are. */
export function noteVisitor(c: AppContext, context: RouteContext): void {
  const [network] = identifyClient(c, context);
  if (network !== undefined && !context.isLocal) context.watchAddress(network.key);
}

function readConnection(c: AppContext, trustProxy: number): Connection {
  const remoteAddress = c.env?.clientAddress ?? c.env?.incoming?.socket.remoteAddress;
  const forwardedFor = trustProxy > 0 ? c.req.header('x-forwarded-for') : undefined;
  return { remoteAddress, forwardedFor };
}

/**
 * Returns the body's text. Throws if the origin, the rate limit, the content type or the body is refused, in this
 * order.
 */
export async function readText(
  c: AppContext,
  context: RouteContext,
  ...input: [limit: keyof RateLimits, types: readonly string[], maxBytes?: number]
): Promise<string> {
  checkOrigin(c, context);
  return readTextFromAnywhere(c, context, ...input);
}

/** The same without a check of the origin. */
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

/** Throws a `Failure` if the body is of another media type. */
export function checkType(c: AppContext, types: readonly string[]): void {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type)) throw new Failure(415, 'invalid', `the body must be ${types.join(' or ')}`);
}
