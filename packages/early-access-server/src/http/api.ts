import {
  DEFAULT_BASE,
  isRobot,
  parseEmail,
  parseSessionId,
  parseSessionStart,
  parseSessionUpdate,
  parseSignup,
  ROUTES,
  type StorageAdapter,
} from 'early-access-kit/core';
import type { Hono } from 'hono';
import { limitWrongAdmins } from '../app/access/admin-check.ts';
import type { RateLimits } from '../app/access/rate-limits.ts';
import { fieldOf } from '../app/field-of.ts';
import { MOUNT_ADVICE } from '../app/host-mistakes.ts';
import type { HumanCheck } from '../app/human/human-check.ts';
import { parseJson } from './body.ts';
import { Failure, failureResponse, JSON_HEADERS, toFailure } from './failure.ts';
import type { RouteDescription } from './openapi/route.ts';
import { isApi, isPublicRoute, pathMistakeIn } from './own-paths.ts';
import type { AppContext, AppEnv, RouteContext } from './route-context.ts';
import {
  adminEmailBody,
  emailBody,
  sessionStart,
  sessionUpdate,
  signup as signupBody,
  signupResult,
  summary as summarySchema,
} from './schemas/visitors.ts';

/** A page of another origin may send text/plain without a preflight while it is being closed. */
const JSON_TYPES = ['text/plain', 'application/json'];

const CREATED = JSON.stringify({ result: 'created' });
const DUPLICATE = JSON.stringify({ result: 'duplicate' });

/** Mounts the JSON routes of core's protocol over any adapter. Its input is validated here. `checkHuman`: what a signup has to pass. */
export function mountApi(
  app: Hono<AppEnv>,
  context: RouteContext,
  adapter: StorageAdapter,
  checkHuman: HumanCheck | null = null,
): void {
  const { limiter, fields } = context;

  /** Mounts a route. Whatever is thrown on the way becomes its failure response. */
  function post(
    path: string,
    limit: keyof RateLimits,
    route: RouteDescription & Required<Pick<RouteDescription, 'body'>>,
    respond: (body: unknown, c: AppContext) => Promise<Response>,
  ): void {
    const bodies = Object.fromEntries(JSON_TYPES.map((type) => [type, route.body]));
    context.describe({ ...route, method: 'post', path: DEFAULT_BASE + path, access: 'public', bodies });
    app.post(DEFAULT_BASE + path, async (c) => {
      try {
        return await respond(parseJson(await context.readText(c, limit, JSON_TYPES)), c);
      } catch (error) {
        return refused(c, toFailure(error));
      }
    });
  }

  function response(c: AppContext, status: number, body: string | null): Response {
    return new Response(body, { status, headers: corsHeaders(c, context) });
  }

  function refused(c: AppContext, failure: Failure): Response {
    context.report(failure, c);
    return failureResponse(failure, corsHeaders(c, context));
  }

  const signUp = {
    summary: 'Signs an address up.',
    details: 'Exactly one record per address, whatever races. The same `submission_id` again is `created` again.',
    body: signupBody(fields, checkHuman !== null),
    responses: { 201: signupResult.created, 200: signupResult.duplicate },
  };
  post(ROUTES.signups, 'signups', signUp, async (body, c) => {
    const signup = parseSignup(body, fields);
    await checkHuman?.(fieldOf(body, 'human_token'), {
      email: signup.email,
      submissionId: signup.submission_id,
      clientAddress: context.addressOf(c),
    });
    await limiter.take([{ limit: 'signupsPerAddress', key: signup.email }]);
    return (await adapter.createSignup(signup)) === 'duplicate'
      ? response(c, 200, DUPLICATE)
      : response(c, 201, CREATED);
  });

  const welcome = {
    summary: 'Asks for the first email.',
    details: 'At most one is sent per signup, and none to an address that is not signed up. The response is the same.',
    body: emailBody,
    responses: { 202: null },
  };
  post(ROUTES.welcomeEmail, 'welcomeEmails', welcome, async (body, c) => {
    const email = parseEmail(fieldOf(body, 'email'));
    await limiter.take([{ limit: 'welcomeEmailsPerAddress', key: email }]);
    await adapter.sendWelcomeEmail(email);
    return new Response(null, { status: 202, headers: { ...corsHeaders(c, context), 'Content-Length': '0' } });
  });

  const start = { summary: 'Starts a session. The client makes its id.', body: sessionStart, responses: { 204: null } };
  post(ROUTES.sessions, 'sessions', start, async (body, c) => {
    const session = parseSessionStart(body);
    if (isRobot(session.user_agent)) context.count('robots');
    else await adapter.startSession(session);
    return response(c, 204, null);
  });

  const update = {
    summary:
      'Stores the totals of a session, merged by maximum, so that updates may be repeated and overtake each other.',
    body: sessionUpdate,
    responses: { 204: null },
  };
  post(`${ROUTES.sessions}/:id`, 'sessions', update, async (body, c) => {
    const [id, update] = [parseSessionId(c.req.param('id')), parseSessionUpdate(body)];
    // It was counted when its session started.
    if (!isRobot(update.user_agent)) await adapter.updateSession(id, update);
    return response(c, 204, null);
  });

  const readSummary = {
    summary: 'The four figures of the overlay, for the address of an admin.',
    body: adminEmailBody,
    responses: { 200: summarySchema },
  };
  post(ROUTES.summary, 'summaries', readSummary, async (body, c) => {
    const summary = await limitWrongAdmins(adapter.readSummary, {
      given: fieldOf(body, 'admin_email'),
      limiter,
      client: context.clientOf(c),
    });
    return response(c, 200, JSON.stringify(summary));
  });

  app.options(`${DEFAULT_BASE}/*`, (c) => {
    try {
      context.checkOrigin(c);
    } catch (error) {
      return refused(c, toFailure(error));
    }
    const headers = {
      ...corsHeaders(c, context),
      'Access-Control-Allow-Methods': 'POST',
      'Access-Control-Allow-Headers': 'Content-Type',
      'Access-Control-Max-Age': '7200',
    };
    return new Response(null, { status: 204, headers });
  });
}

/** The response for a path without a route that is the API's or should be; null for any other. */
export function apiNotFound(path: string, { noteMistake }: RouteContext): Response | null {
  const mistake = pathMistakeIn(path);
  if (mistake === null) return isApi(path) ? unknownRoute(path) : null;
  noteMistake(mistake);
  return failureResponse(new Failure(404, 'invalid', MOUNT_ADVICE[mistake]));
}

/** Responds to errors that no route has caught. */
export function failed(context: RouteContext): (error: Error, c: AppContext) => Response {
  return (error, c) => {
    const failure = toFailure(error);
    context.report(failure, c);
    return failureResponse(failure);
  };
}

/** The response for a path or method without a route: 405 if the path takes POST, else 404. */
export function unknownRoute(path: string): Response {
  const route = path.slice(DEFAULT_BASE.length);
  return isPublicRoute(route)
    ? failureResponse(new Failure(405, 'invalid', 'this route takes POST only'), {
        ...JSON_HEADERS,
        Allow: 'POST, OPTIONS',
      })
    : failureResponse(new Failure(404, 'invalid', 'there is no such route'));
}

/** The headers of a JSON response, with those that let the page of an allowed origin read it. */
export function corsHeaders(c: AppContext, { allowedOrigin }: RouteContext): Record<string, string> {
  const origin = allowedOrigin(c);
  if (origin === undefined) return JSON_HEADERS;
  return { ...JSON_HEADERS, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'Retry-After' };
}
