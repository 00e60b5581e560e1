import { DEFAULT_BASE } from 'early-access-kit/core';
import type { Hono } from 'hono';
import type * as z from 'zod';
import type { ApiScope } from '../../app/access/api-keys.ts';
import { usesOf } from '../../app/access/rate-limits.ts';
import type { AdminService } from '../../app/admin/admin-service.ts';
import type { AdminSession, AuditAuthor } from '../../app/admin/admin-store.ts';
import type { Awaitable } from '../../app/ports.ts';
import type { Store } from '../../stores/store.ts';
import { apiKeyAccess } from '../bearer.ts';
import { parseJson, readBody, streamBody } from '../body.ts';
import { Failure, failureResponse, JSON_HEADERS, toFailure } from '../failure.ts';
import type { DescribedRoute, RouteDescription } from '../openapi/route.ts';
import { parseInput, queryOf } from '../openapi/schema.ts';
import type { AppContext, AppEnv, RouteContext } from '../route-context.ts';
import { baseHeaders } from '../security-headers.ts';
import type { AdminCookie } from './admin-cookie.ts';

/** `MAX_BULK` ids of 64 characters. */
const MAX_BYTES = 65_536;

/** The part of a store that the admin's routes use. */
export type AdminRoutesStore = Pick<
  Store,
  | 'admin'
  | 'apiKeys'
  | 'analytics'
  | 'people'
  | 'list'
  | 'campaigns'
  | 'mails'
  | 'webhooks'
  | 'erase'
  | 'facts'
  | 'ping'
>;

export interface AdminRoutesOptions {
  readonly service: AdminService;
  readonly store: AdminRoutesStore;
  readonly context: RouteContext;
  readonly cookie: AdminCookie;
  readonly https: boolean;
}

/** A request of an admin, its input parsed as the route's description says. */
export interface AdminRequest<Query, Body> {
  readonly c: AppContext;
  readonly session: AdminSession;
  readonly query: Query;
  readonly body: Body;
}
type Respond<Query, Body> = (request: AdminRequest<Query, Body>) => Awaitable<Response>;

/** A request of an admin, or with an API key. */
interface ReadRequest<Query> extends Pick<AdminRequest<Query, undefined>, 'c' | 'query'> {
  readonly author: AdminSession | AuditAuthor;
}
type RespondToRead<Query> = (request: ReadRequest<Query>) => Awaitable<Response>;

/**
 * Mounts the admin's routes, so that none of them can forget what all of them need. Input without a schema is not used: its type is
 * undefined.
 */
export interface AdminRouter extends AdminRoutesOptions {
  get<Query = undefined>(
    path: string,
    route: RouteDescription<Query, undefined>,
    respond: Respond<Query, undefined>,
  ): void;
  /** A GET that API keys with the scope may make, too. They may call no other route. */
  read<Query = undefined>(
    scope: ApiScope,
    path: string,
    route: RouteDescription<Query, undefined>,
    respond: RespondToRead<Query>,
  ): void;
  post<Query = undefined, Body = undefined>(
    path: string,
    route: RouteDescription<Query, Body>,
    respond: Respond<Query, Body>,
  ): void;
  /** The body is a file of this media type, which arrives while it is read. */
  upload<Query = undefined>(
    path: string,
    type: string,
    route: RouteDescription<Query, undefined>,
    respond: Respond<Query, AsyncIterable<Uint8Array>>,
  ): void;
  /** A route without a session. */
  postSignedOut<Body>(
    path: string,
    route: RouteDescription<undefined, Body> & { readonly body: z.ZodType<Body> },
    respond: (c: AppContext, body: Body) => Awaitable<Response>,
  ): void;
  json(value: unknown): Response;
  done(headers?: Record<string, string>): Response;
}

/**
 * Every route refuses other origins, callers that are too fast and, but for those of the sign-in, callers without a session or
 * an API key of the route's scope, in this order and before the body is read. No response may be stored.
 */
export function adminRouter(app: Hono<AppEnv>, options: AdminRoutesOptions): AdminRouter {
  const { service, context, cookie, https } = options;
  const headers = { ...JSON_HEADERS, ...baseHeaders(https), Vary: 'Origin, Cookie' };

  const responded = (respond: (c: AppContext) => Promise<Response>) => async (c: AppContext) => {
    try {
      return await respond(c);
    } catch (error) {
      const failure = toFailure(error);
      context.report(failure, c);
      return failureResponse(failure, headers);
    }
  };

  const checkApiKey = apiKeyAccess(options.store.apiKeys, context);

  async function admit(c: AppContext): Promise<void> {
    checkSameOrigin(c, context);
    await context.limiter.take(usesOf('adminRequests', context.clientOf(c)));
  }

  /** A key is refused even if there is a session, too. */
  async function signedIn(c: AppContext): Promise<AdminSession> {
    await admit(c);
    await checkApiKey(c, null);
    return sessionOf(c);
  }

  async function sessionOf(c: AppContext): Promise<AdminSession> {
    const session = await service.sessions.find(cookie.read(c));
    if (session === null) throw new Failure(401, 'forbidden', 'sign in: there is no session, or it has ended');
    return session;
  }

  const describe = (method: 'get' | 'post', path: string, route: Omit<DescribedRoute, 'method' | 'path'>) =>
    context.describe({ ...route, method, path: `${DEFAULT_BASE}/admin${path}` });

  // Overloads, because only they can say that input without a schema is of the type undefined.
  function get<Query = undefined>(
    path: string,
    route: RouteDescription<Query, undefined>,
    respond: Respond<Query, undefined>,
  ): void;
  function get<Query>(path: string, route: RouteDescription<Query>, respond: Respond<Query | undefined, undefined>) {
    describe('get', path, { ...route, access: 'session' });
    app.get(
      path,
      responded(async (c) => {
        const session = await signedIn(c);
        return respond({ c, session, query: readQuery(c, route), body: undefined });
      }),
    );
  }

  function read<Query = undefined>(
    scope: ApiScope,
    path: string,
    route: RouteDescription<Query, undefined>,
    respond: RespondToRead<Query>,
  ): void;
  function read<Query>(
    scope: ApiScope,
    path: string,
    route: RouteDescription<Query>,
    respond: RespondToRead<Query | undefined>,
  ) {
    describe('get', path, { ...route, access: 'session', scope });
    app.get(
      path,
      responded(async (c) => {
        await admit(c);
        const author = (await checkApiKey(c, scope)) ?? (await sessionOf(c));
        return respond({ c, author, query: readQuery(c, route) });
      }),
    );
  }

  function post<Query = undefined, Body = undefined>(
    path: string,
    route: RouteDescription<Query, Body>,
    respond: Respond<Query, Body>,
  ): void;
  function post<Query, Body>(
    path: string,
    route: RouteDescription<Query, Body>,
    respond: Respond<Query | undefined, Body | undefined>,
  ) {
    describe('post', path, { ...route, access: 'session' });
    app.post(
      path,
      responded(async (c) => {
        const session = await signedIn(c);
        const json = await readJson(c);
        return respond({ c, session, query: readQuery(c, route), body: route.body && parseInput(route.body, json) });
      }),
    );
  }

  function upload<Query = undefined>(
    path: string,
    type: string,
    route: RouteDescription<Query, undefined>,
    respond: Respond<Query, AsyncIterable<Uint8Array>>,
  ): void;
  function upload<Query>(
    path: string,
    type: string,
    route: RouteDescription<Query>,
    respond: Respond<Query | undefined, AsyncIterable<Uint8Array>>,
  ) {
    describe('post', path, { ...route, access: 'session', bodies: { [type]: null } });
    app.post(
      path,
      responded(async (c) => {
        const session = await signedIn(c);
        checkType(c, type);
        return respond({ c, session, query: readQuery(c, route), body: streamBody(c.req.raw) });
      }),
    );
  }

  return {
    ...options,
    get,
    read,
    post,
    upload,
    postSignedOut(path, route, respond) {
      describe('post', path, { ...route, access: 'public' });
      app.post(
        path,
        responded(async (c) => {
          checkSameOrigin(c, context);
          await context.limiter.take(usesOf('signIns', context.clientOf(c)));
          return respond(c, parseInput(route.body, await readJson(c)));
        }),
      );
    },
    json: (value) => new Response(JSON.stringify(value), { headers }),
    done: (more) => new Response(null, { status: 204, headers: { ...headers, ...more } }),
  };
}

/** Only the dashboard may call, not even the pages that may sign people up. */
function checkSameOrigin(c: AppContext, { origins }: RouteContext): void {
  const isOwn = origins.judge(c.req.header('origin'), c.req.header('host')) === 'own';
  const site = c.req.header('sec-fetch-site') ?? 'none';
  if (isOwn && ['same-origin', 'none'].includes(site)) return;
  throw new Failure(403, 'forbidden', 'only the dashboard of this site may call here');
}

/** A form of another site cannot send the types that are expected here. */
function checkType(c: AppContext, expected: string): void {
  const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== expected) throw new Failure(415, 'invalid', `the body must be ${expected}`);
}

function readQuery<Query>(c: AppContext, { query }: RouteDescription<Query>): Query | undefined {
  return query && parseInput(query, queryOf(c.req.queries()));
}

async function readJson(c: AppContext): Promise<unknown> {
  checkType(c, 'application/json');
  return parseJson(await readBody(c.req.raw, MAX_BYTES));
}
