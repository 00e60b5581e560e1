import type { Hono } from 'hono';
import { usesOf } from '../../app/access/rate-limits.ts';
import type { AdminService } from '../../app/admin/admin-service.ts';
import type { AdminSession } from '../../app/admin/admin-store.ts';
import type { Awaitable } from '../../app/awaitable.ts';
import type { Store } from '../../stores/store.ts';
import { readBody, streamBody } from '../body.ts';
import { Failure, failureResponse, JSON_HEADERS, toFailure } from '../failure.ts';
import { parseJson } from '../json.ts';
import type { AppContext, AppEnv, RouteContext } from '../route-context.ts';
import { baseHeaders } from '../security-headers.ts';
import type { AdminCookie } from './admin-cookie.ts';

/** `MAX_BULK` ids of 64 characters. */
const MAX_BYTES = 65_536;

/** The part of a store that the admin's routes use. */
export type AdminRoutesStore = Pick<
  Store,
  'admin' | 'analytics' | 'people' | 'list' | 'campaigns' | 'mails' | 'webhooks' | 'erase' | 'facts' | 'ping'
>;

export interface AdminRoutesOptions {
  readonly service: AdminService;
  readonly store: AdminRoutesStore;
  readonly context: RouteContext;
  readonly cookie: AdminCookie;
  readonly https: boolean;
}

/** Mounts the admin's routes, so that none of them can forget what all of them need. */
export interface AdminRouter extends AdminRoutesOptions {
  get(path: string, respond: (c: AppContext, session: AdminSession) => Awaitable<Response>): void;
  /** `body` is the parsed JSON. */
  post(path: string, respond: (c: AppContext, session: AdminSession, body: unknown) => Awaitable<Response>): void;
  /** `file` arrives while it is read. */
  upload(
    path: string,
    type: string,
    respond: (c: AppContext, session: AdminSession, file: AsyncIterable<Uint8Array>) => Awaitable<Response>,
  ): void;
  /** A route without a session. */
  postSignedOut(path: string, respond: (c: AppContext, body: unknown) => Awaitable<Response>): void;
  json(value: unknown): Response;
  done(headers?: Record<string, string>): Response;
}

/**
 * Every route refuses other origins, callers that are too fast and, but for those of the sign-in, callers without a session, in this
 * order and before the body is read. No response may be stored.
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

  async function signedIn(c: AppContext): Promise<AdminSession> {
    checkSameOrigin(c, context);
    await context.limiter.take(usesOf('adminRequests', context.clientOf(c)));
    const session = await service.sessions.find(cookie.read(c));
    if (session === null) throw new Failure(401, 'forbidden', 'sign in: there is no session, or it has ended');
    return session;
  }

  return {
    ...options,
    get(path, respond) {
      app.get(
        path,
        responded(async (c) => respond(c, await signedIn(c))),
      );
    },
    post(path, respond) {
      app.post(
        path,
        responded(async (c) => respond(c, await signedIn(c), await readJson(c))),
      );
    },
    upload(path, type, respond) {
      app.post(
        path,
        responded(async (c) => {
          const session = await signedIn(c);
          checkType(c, type);
          return respond(c, session, streamBody(c.req.raw));
        }),
      );
    },
    postSignedOut(path, respond) {
      app.post(
        path,
        responded(async (c) => {
          checkSameOrigin(c, context);
          await context.limiter.take(usesOf('signIns', context.clientOf(c)));
          return respond(c, await readJson(c));
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

async function readJson(c: AppContext): Promise<unknown> {
  checkType(c, 'application/json');
  return parseJson(await readBody(c.req.raw, MAX_BYTES));
}
