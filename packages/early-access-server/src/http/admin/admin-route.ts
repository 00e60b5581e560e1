import { DEFAULT_BASE } from 'early-access-kit/core';
import type * as z from 'zod';
import type { ApiScope } from '../../app/access/api-keys.ts';
import { listUses } from '../../app/access/rate-limits.ts';
import type { AdminSession, AuditAuthor } from '../../app/ports/admin-store.ts';
import type { Awaitable } from '../../app/ports/log.ts';
import type { Store } from '../../app/ports/store.ts';
import { checkApiKey } from '../server/api-key-access.ts';
import { parseJson, readBody, streamBody } from '../server/body.ts';
import { Failure, failureResponse, JSON_HEADERS } from '../server/failure.ts';
import { respondOnce } from '../server/idempotency.ts';
import { mountRoute } from '../server/mount-route.ts';
import type { DescribedRoute, RouteDescription } from '../server/openapi/route.ts';
import { normalizeQuery, type Output, parseInput } from '../server/openapi/schema.ts';
import {
  type AppContext,
  checkType,
  identifyClient,
  judgeOrigin,
  type RouteContext,
} from '../server/request-context.ts';
import { NO_STORE, PLAIN_HEADERS } from '../server/security-headers.ts';
import type { AdminService } from '../server/services.ts';
import type { AdminCookie } from './admin-cookie.ts';

/** `MAX_BULK` ids of 64 characters. */
const MAX_BYTES = 65_536;

/** Everything that the admin's routes share. */
export interface AdminRouter {
  readonly service: AdminService;
  readonly store: Store;
  readonly context: RouteContext;
  readonly cookie: AdminCookie;
}

/** `public`: no session is needed. API scopes: API keys with one of them may call the route too. By default only an admin's session may. */
type RouteScope = ApiScope | readonly ApiScope[] | 'public' | undefined;
/** A media type: a file that arrives while it is read. */
type RouteBody = z.ZodType | 'text/csv' | undefined;
type Schema = z.ZodType | undefined;

/** A request that may be responded to. Input without a schema is not used: its type is undefined. */
interface AdminRequest<Scope = undefined, Query = undefined, Body = undefined> {
  readonly c: AppContext;
  /** The parameter of the path; empty without one. */
  readonly id: string;
  /** The admin's session, or the API key that was used. */
  readonly caller: Scope extends 'public'
    ? null
    : Scope extends ApiScope | readonly ApiScope[]
      ? AdminSession | AuditAuthor
      : AdminSession;
  readonly query: OutputOf<Query>;
  readonly body: Body extends string ? AsyncIterable<Uint8Array> : OutputOf<Body>;
}
type OutputOf<Input> = Input extends z.ZodType ? z.output<Input> : undefined;

/** A route below `/api/admin`. Its schemas parse the input, type the response, and are its part of the OpenAPI document. */
interface AdminRoute<Scope extends RouteScope, Query extends Schema, Body extends RouteBody, Result extends Schema>
  extends Pick<RouteDescription, 'summary' | 'details' | 'refusals'> {
  readonly method: 'get' | 'post';
  readonly path: `/${string}`;
  readonly scope?: Scope;
  readonly query?: Query;
  readonly body?: Body;
  /** The JSON of a successful response, with status 200. Without it, success is 204 without a body. */
  readonly response?: Result;
  /** Successful responses by status that `respond` makes itself. */
  readonly responses?: RouteDescription['responses'];
  respond(
    request: AdminRequest<Scope, Query, Body>,
  ): Result extends z.ZodType ? Awaitable<Response | Output<Result>> : Promise<Response> | Promise<void>;
}

type AnyRoute = Omit<AdminRoute<RouteScope, Schema, RouteBody, Schema>, 'respond'> & {
  readonly respond: (request: {
    readonly c: AppContext;
    readonly id: string;
    readonly caller: AdminSession | AuditAuthor | null;
    readonly query: unknown;
    readonly body: unknown;
  }) => unknown;
};

/**
 * Mounts a route of the admin, so that none of them can forget the common checks. Every route refuses other origins, callers that are too
 * fast and, except for routes of the sign-in, callers without a session or an API key of the route's scope, in this order and before the
 * body is read. No response may be stored.
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
      const query = route.query && parseInput(route.query, normalizeQuery(c.req.queries()));
      const id = c.req.param('id') ?? '';
      const { body, text } = await readInput(c, route);
      const respond = async () => route.respond({ c, id, caller, query, body });
      const result = await respondOnce(c, router.store.apiKeys, text, respond);
      if (result instanceof Response) return result;
      if (result === undefined) return new Response(null, { status: 204, headers: ADMIN_HEADERS });
      return new Response(JSON.stringify(result), { headers: ADMIN_HEADERS });
    },
    (failure) => failureResponse(failure, ADMIN_HEADERS),
  );
}

/** The headers of every response that is JSON or has no body. */
export const ADMIN_HEADERS = { ...JSON_HEADERS, Vary: 'Origin, Cookie' };

/** The headers of a response that is no JSON. */
export function fileHeaders(type: string): Record<string, string> {
  return { ...PLAIN_HEADERS, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': NO_STORE };
}

function describedRoute({ scope, body, response, responses, ...route }: AnyRoute): DescribedRoute {
  return {
    ...route,
    path: `${DEFAULT_BASE}/admin${route.path}`,
    access: scope === 'public' ? 'public' : 'session',
    scopes: listScopes(scope),
    ...(typeof body === 'string' ? { bodies: { [body]: null } } : body !== undefined && { body }),
    responses: responses ?? (response === undefined ? { 204: null } : { 200: response }),
  };
}

function listScopes(scope: RouteScope): readonly ApiScope[] {
  return scope === undefined || scope === 'public' ? [] : [scope].flat();
}

/** Returns who makes the request; null for the routes of the sign-in. Throws a `Failure` if it is refused. */
async function admit(
  c: AppContext,
  router: AdminRouter,
  { scope }: AnyRoute,
): Promise<AdminSession | AuditAuthor | null> {
  const { context, store, service, cookie } = router;
  checkSameOrigin(c, context);
  await context.limiter.take(listUses(scope === 'public' ? 'signIns' : 'adminRequests', identifyClient(c, context)));
  if (scope === 'public') return null;
  // A key is refused even if there is a session, too.
  const key = await checkApiKey(c, context, store.apiKeys, listScopes(scope));
  if (key !== null) return key;
  const session = await service.sessions.find(cookie.read(c));
  if (session === null) throw new Failure(401, 'forbidden', 'sign in: there is no session, or it has ended');
  return session;
}

/** Only the dashboard may call, not even the pages that may sign people up. */
function checkSameOrigin(c: AppContext, context: RouteContext): void {
  const site = c.req.header('sec-fetch-site') ?? 'none';
  if (judgeOrigin(c, context) === 'own' && ['same-origin', 'none'].includes(site)) return;
  throw new Failure(403, 'forbidden', 'only the dashboard of this site may use this route');
}

/**
 * A form of another site cannot send the types that are expected here. `text`: the body as it was sent; null if there is none, or it is read
 * while it arrives.
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
