import { DEFAULT_BASE, StorageError } from 'early-access-kit/internal';
import type * as z from 'zod';
import { API_SCOPES, type KeyScope } from '../../app/access/api-keys.ts';
import { listUses } from '../../app/access/rate-limits.ts';
import { describeRefusal, mayDo, maySeeAddresses, type Need } from '../../app/access/roles.ts';
import { withoutAddresses } from '../../app/access/without-addresses.ts';
import type { SignedIn } from '../../app/admin/team.ts';
import type { AuditAuthor } from '../../app/ports/admin-store.ts';
import type { Awaitable } from '../../app/ports/log.ts';
import type { Store } from '../../app/ports/store.ts';
import { checkApiKey } from '../routing/api-key-access.ts';
import { parseJson, readBody, streamBody } from '../routing/body.ts';
import { Failure, failureResponse, JSON_HEADERS } from '../routing/failure.ts';
import { respondOnce } from '../routing/idempotency.ts';
import { mountRoute } from '../routing/mount-route.ts';
import type { DescribedRoute, RouteDescription } from '../routing/openapi/route.ts';
import { normalizeQuery, type Output, parseInput } from '../routing/openapi/schema.ts';
import {
  type AppContext,
  checkType,
  identifyClient,
  judgeOrigin,
  type RouteContext,
} from '../routing/request-context.ts';
import { NO_STORE, PLAIN_HEADERS } from '../routing/security-headers.ts';
import type { AdminCookie } from './admin-cookie.ts';
import type { AdminService } from './admin-service.ts';

/** Enough for `MAX_BULK` ids of 64 characters. */
export const MAX_BYTES = 65_536;

export interface AdminRouter {
  readonly service: AdminService;
  readonly store: Store;
  readonly context: RouteContext;
  readonly cookie: AdminCookie;
}

/**
 * `public`: no session is needed. Scopes: API keys with one of them may call the route as well. By default only
 * sessions may.
 */
type RouteScope = KeyScope | readonly KeyScope[] | 'public' | undefined;
/** A media type: the body is a file, processed as a stream. */
type RouteBody = z.ZodType | 'text/csv' | undefined;
type Schema = z.ZodType | undefined;

/** A request that passed the common checks. Input without a schema is undefined. */
interface AdminRequest<Scope = undefined, Query = undefined, Body = undefined> {
  readonly c: AppContext;
  /** The path parameter, or an empty string. */
  readonly id: string;
  /** The admin's session, or the API key. */
  readonly caller: Scope extends 'public'
    ? null
    : Scope extends KeyScope | readonly KeyScope[]
      ? SignedIn | AuditAuthor
      : SignedIn;
  readonly query: OutputOf<Query>;
  readonly body: Body extends string ? AsyncIterable<Uint8Array> : OutputOf<Body>;
}
type OutputOf<Input> = Input extends z.ZodType ? z.output<Input> : undefined;

/**
 * A route below `/api/admin`. Its schemas parse the input, type the response, and generate its part of the OpenAPI
 * document.
 */
interface AdminRoute<Scope extends RouteScope, Query extends Schema, Body extends RouteBody, Result extends Schema>
  extends Pick<DescribedRoute, 'summary' | 'details' | 'refusals' | 'isReadOnly' | 'header'> {
  readonly method: 'get' | 'post';
  readonly path: `/${string}`;
  readonly scope?: Scope;
  /** The session's role must include one of these. Default: the scopes. A route with neither is for admins only. */
  readonly needs?: Need | readonly Need[];
  readonly query?: Query;
  readonly body?: Body;
  /** The JSON of a successful response with status 200. Without it, success is 204 without a body. */
  readonly response?: Result;
  /** Successful responses that `respond` creates itself, by status. */
  readonly responses?: RouteDescription['responses'];
  respond(
    request: AdminRequest<Scope, Query, Body>,
  ): Result extends z.ZodType ? Awaitable<Response | Output<Result>> : Promise<Response> | Promise<void>;
}

type AnyRoute = Omit<AdminRoute<RouteScope, Schema, RouteBody, Schema>, 'respond'> & {
  readonly respond: (request: {
    readonly c: AppContext;
    readonly id: string;
    readonly caller: SignedIn | AuditAuthor | null;
    readonly query: unknown;
    readonly body: unknown;
  }) => unknown;
};

/**
 * Mounts an admin route with the checks that all of them share. Before the body is read, it rejects other origins, then
 * callers that exceed the rate limit, then (except for sign-in routes) callers without a suitable role or scope.
 * Responses must not be stored.
 */
export function route<
  Scope extends RouteScope = undefined,
  Query extends Schema = undefined,
  Body extends RouteBody = undefined,
  Result extends Schema = undefined,
>(router: AdminRouter, route: AdminRoute<Scope, Query, Body, Result>): void;
export function route(router: AdminRouter, route: AnyRoute): void {
  mountRoute(
    router.context,
    describedRoute(route),
    async (c) => {
      const caller = await admit(c, router, route);
      const query = readQuery(c, route);
      const id = c.req.param('id') ?? '';
      const { body, text } = await readInput(c, route);
      const respond = async () => route.respond({ c, id, caller, query, body });
      const result = await (route.isReadOnly ? respond() : respondOnce(c, router.store.apiKeys, text, respond));
      if (result instanceof Response) return result;
      if (result === undefined) return new Response(null, { status: 204, headers: ADMIN_HEADERS });
      return new Response(toText(result, route, caller), { headers: ADMIN_HEADERS });
    },
    (failure) => failureResponse(failure, ADMIN_HEADERS),
  );
}

/**
 * Removes email addresses from analytics, even from UTM values: a filter would put them into the overview's URL.
 * Viewers get no addresses at all.
 */
function toText(result: unknown, { scope }: AnyRoute, caller: SignedIn | AuditAuthor | null): string {
  const text = JSON.stringify(result);
  if (listScopes(scope).includes('overview')) return withoutAddresses(text, null);
  if (caller === null || !('id' in caller) || maySeeAddresses(caller.role)) return text;
  return withoutAddresses(text, caller.email);
}

export const ADMIN_HEADERS = { ...JSON_HEADERS, Vary: 'Origin, Cookie' };

export function fileHeaders(type: string): Record<string, string> {
  return { ...PLAIN_HEADERS, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': NO_STORE };
}

function describedRoute({ scope, needs: _, body, response, responses, ...route }: AnyRoute): DescribedRoute {
  return {
    ...route,
    path: `${DEFAULT_BASE}/admin${route.path}`,
    access: scope === 'public' ? 'public' : 'session',
    scopes: API_SCOPES.filter((known) => listScopes(scope).includes(known)),
    ...(typeof body === 'string' ? { bodies: { [body]: null } } : body !== undefined && { body }),
    responses: responses ?? (response === undefined ? { 204: null } : { 200: response }),
  };
}

function listScopes(scope: RouteScope): readonly KeyScope[] {
  return scope === undefined || scope === 'public' ? [] : [scope].flat();
}

function listNeeds({ scope, needs }: AnyRoute): readonly Need[] {
  if (needs !== undefined) return [needs].flat();
  return listScopes(scope).filter((scope) => scope !== 'overview');
}

/** Returns who makes the request; null for sign-in routes. Throws a `Failure` if the request is rejected. */
async function admit(c: AppContext, router: AdminRouter, route: AnyRoute): Promise<SignedIn | AuditAuthor | null> {
  const { scope } = route;
  const { context, store, service, cookie } = router;
  checkSameOrigin(c, context);
  await context.limiter.take(listUses(scope === 'public' ? 'signIns' : 'adminRequests', identifyClient(c, context)));
  if (scope === 'public') return null;
  // A key is refused even if there is a session, too.
  const limit = route.method === 'get' || route.isReadOnly ? 'apiKeyRequests' : 'apiKeyWrites';
  const key = await checkApiKey(c, context, store.apiKeys, { scopes: listScopes(scope), limit });
  if (key !== null) return key;
  const session = await service.sessions.find(cookie.read(c));
  if (session === null) throw new Failure(401, 'forbidden', 'sign in: there is no session, or it has ended');
  const needs = listNeeds(route);
  if (!mayDo(session.role, needs)) throw new Failure(403, 'forbidden', describeRefusal(session.role, needs));
  return session;
}

/** Only the dashboard's origin may call these routes, not the origins that may sign people up. */
export function checkSameOrigin(c: AppContext, context: RouteContext): void {
  const site = c.req.header('sec-fetch-site') ?? 'none';
  if (judgeOrigin(c, context) === 'own' && ['same-origin', 'none'].includes(site)) return;
  throw new Failure(403, 'forbidden', 'only the dashboard of this site may use this route');
}

/** Input in the query of a route without one would be ignored, and an action would apply to more people than intended. */
function readQuery(c: AppContext, { method, query }: AnyRoute): unknown {
  const given = normalizeQuery(c.req.queries());
  if (query !== undefined) return parseInput(query, given, 'the query');
  if (method === 'get' || Object.keys(given).length === 0) return undefined;
  throw new StorageError('invalid', 'this route takes no query: send its input in the body');
}

/**
 * Other sites' forms cannot send the media types expected here. `text` is the body as received; null if there is none,
 * or if it is processed while it is received.
 */
async function readInput(
  c: AppContext,
  { method, body }: AnyRoute,
): Promise<{ readonly body: unknown; readonly text: string | null }> {
  if (method === 'get') return { body: undefined, text: null };
  if (typeof body === 'string') {
    checkType(c, [body]);
    return { body: streamBody(c.req.raw), text: null };
  }
  checkType(c, ['application/json']);
  const text = await readBody(c.req.raw, MAX_BYTES);
  const json = parseJson(text);
  return { body: body && parseInput(body, json), text };
}
