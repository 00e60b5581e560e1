import {
  DEFAULT_BASE,
  type FailureBody,
  parseEmail,
  parseSessionId,
  parseSessionStart,
  parseSessionUpdate,
  parseSignup,
  ROUTES,
} from 'early-access-kit/core';
import type { Hono } from 'hono';
import { checkAdmin } from '../app/access/admin-check.ts';
import type { RateLimits } from '../app/access/rate-limits.ts';
import { fieldOf } from '../app/field-of.ts';
import { Failure, toFailure } from './failure.ts';
import type { AppContext, AppEnv } from './gate.ts';
import { PLAIN_HEADERS } from './plain-headers.ts';
import type { RouteTools } from './route-tools.ts';

/** Text/plain is what a page of another origin may send without a preflight while it is being closed. */
const JSON_TYPES = ['text/plain', 'application/json'];

const HEADERS = {
  ...PLAIN_HEADERS,
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Vary: 'Origin',
};

const CREATED = JSON.stringify({ result: 'created' });
const DUPLICATE = JSON.stringify({ result: 'duplicate' });

/** Mounts the JSON routes of core's protocol. */
export function mountApi(app: Hono<AppEnv>, tools: RouteTools): void {
  const { store, mailer, limiter, adminEmail, gate } = tools;

  /** A route: what `answer` makes of the JSON body, or the failure that anything on the way ended in. */
  function post(
    path: string,
    limit: keyof RateLimits,
    answer: (body: unknown, c: AppContext) => Promise<Response>,
  ): void {
    app.post(DEFAULT_BASE + path, async (c) => {
      try {
        return await answer(parseJson(await gate.admit(c, limit, JSON_TYPES)), c);
      } catch (error) {
        return failed(c, toFailure(error));
      }
    });
  }

  function respond(c: AppContext, status: number, body: string | null): Response {
    return new Response(body, { status, headers: headersFor(c, tools) });
  }

  function failed(c: AppContext, failure: Failure): Response {
    tools.report(failure, c);
    return failureResponse(failure, headersFor(c, tools));
  }

  post(ROUTES.signups, 'signups', async (body, c) => {
    const signup = parseSignup(body);
    await limiter.take([{ limit: 'signupsPerAddress', key: signup.email }]);
    if ((await store.createSignup(signup)) === 'duplicate') return respond(c, 200, DUPLICATE);
    mailer.wake();
    return respond(c, 201, CREATED);
  });

  // The mail was queued with the sign-up. That nothing is looked up here is what keeps the answer from telling who is signed up.
  post(ROUTES.welcomeEmail, 'welcomeEmails', async (body, c) => {
    await limiter.take([{ limit: 'welcomeEmailsPerAddress', key: parseEmail(fieldOf(body, 'email')) }]);
    mailer.wake();
    return new Response(null, { status: 202, headers: { ...headersFor(c, tools), 'Content-Length': '0' } });
  });

  post(ROUTES.sessions, 'sessions', async (body, c) => {
    await store.startSession(parseSessionStart(body));
    return respond(c, 204, null);
  });

  post(`${ROUTES.sessions}/:id`, 'sessions', async (body, c) => {
    await store.updateSession(parseSessionId(c.req.param('id')), parseSessionUpdate(body));
    return respond(c, 204, null);
  });

  post(ROUTES.summary, 'summaries', async (body, c) => {
    await checkAdmin({ given: fieldOf(body, 'admin_email'), adminEmail, limiter, client: gate.clientOf(c) });
    return respond(c, 200, JSON.stringify(store.readSummary()));
  });

  app.options(`${DEFAULT_BASE}/*`, (c) => {
    try {
      gate.checkOrigin(c);
    } catch (error) {
      return failed(c, toFailure(error));
    }
    const headers = {
      ...headersFor(c, tools),
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': '7200',
    };
    return new Response(null, { status: 204, headers });
  });
}

export function failureResponse(failure: Failure, headers: Record<string, string> = HEADERS): Response {
  const { status, code, message, retryAfter } = failure;
  const body: FailureBody = { error: { code, message } };
  const retry = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return new Response(JSON.stringify(body), { status, headers: { ...headers, ...retry } });
}

/** What no route answers: 405 where the path is one for POST, else 404. */
export function unknownRoute(path: string): Response {
  const route = path.slice(DEFAULT_BASE.length);
  const known = Object.values<string>(ROUTES).includes(route) || /^\/sessions\/[^/]+$/.test(route);
  return known
    ? failureResponse(new Failure(405, 'invalid', 'this route takes POST only'), { ...HEADERS, Allow: 'POST, OPTIONS' })
    : failureResponse(new Failure(404, 'invalid', 'there is no such route'));
}

function headersFor(c: AppContext, { origins }: RouteTools): Record<string, string> {
  const origin = c.req.header('origin');
  if (origin === undefined || origins.judge(origin, c.req.header('host')) !== 'allowed') return HEADERS;
  return { ...HEADERS, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'Retry-After' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(400, 'invalid', 'the body must be JSON');
  }
}
