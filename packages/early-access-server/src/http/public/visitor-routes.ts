import {
  DEFAULT_BASE,
  type EmailSignup,
  isRobot,
  isStorageError,
  parseEmail,
  parseSessionId,
  parseSessionStart,
  parseSessionUpdate,
  ROUTES,
  SECOND_MS,
  type SessionStart,
  type SessionUpdate,
  SIGNUP_KEY,
  type StorageAdapter,
} from 'early-access-kit/core';
import { serialize } from 'hono/utils/cookie';
import { limitWrongAdmins } from '../../app/access/admin-check.ts';
import { listUses, type RateLimits } from '../../app/access/rate-limits.ts';
import type { HumanCheck } from '../../app/human/human-check.ts';
import { normalizeMailbox } from '../../app/mail/mail-quota.ts';
import { linkExpiry } from '../../app/mail/message-kinds.ts';
import { ADDRESS_PROBLEMS } from '../../app/signup/address-check.ts';
import { readField } from '../../app/signup/read-field.ts';
import { readSignup } from '../../app/signup/read-signup.ts';
import { chooseLanguage, findVisitorLanguage } from '../pages/page.ts';
import { inboxTexts } from '../pages/page-texts.ts';
import { RESULTS } from '../pages/result-page.ts';
import { parseJson } from '../server/body.ts';
import { Failure, failureResponse, JSON_HEADERS, toFailure } from '../server/failure.ts';
import { mountRoute } from '../server/mount-route.ts';
import type { RouteDescription } from '../server/openapi/route.ts';
import { hasPrototypeKey, parseInput } from '../server/openapi/schema.ts';
import {
  type AppContext,
  allowedOrigin,
  checkOrigin,
  findAddressProblem,
  identifyClient,
  noteVisitor,
  type RouteContext,
  readAddress,
  readText,
} from '../server/request-context.ts';
import {
  adminEmailBody,
  emailBody,
  inboxBody,
  inbox as inboxSchema,
  sessionStart,
  sessionUpdate,
  signup as signupBody,
  signupFields,
  signupResult,
  summary as summarySchema,
} from '../server/schemas/visitors.ts';

/** A page of another origin may send text/plain without a preflight while it is being closed. */
const JSON_TYPES = ['text/plain', 'application/json'];

/** Mounts the JSON routes of core's protocol over any adapter. Their input is validated here. `checkHuman`: what a signup has to pass. */
export function mountVisitorRoutes(
  context: RouteContext,
  adapter: StorageAdapter,
  checkHuman: HumanCheck | null = null,
): void {
  mountSignup(context, adapter, checkHuman);
  mountInbox(context);
  mountWelcomeEmail(context, adapter);
  mountSessions(context, adapter);
  mountSummary(context, adapter);
  context.app.options(`${DEFAULT_BASE}/*`, (c) => preflight(c, context));
}

function mountSignup(context: RouteContext, adapter: StorageAdapter, checkHuman: HumanCheck | null): void {
  const { fields, limiter } = context;
  const ownFields = signupFields(fields);
  const route = {
    summary: 'Signs an address up.',
    details:
      'Exactly one record per address, under any race. The same `submission_id` again has the same result. The message of an error names every field with a problem.',
    body: signupBody(fields, checkHuman !== null),
    responses: { 201: signupResult.stored, 200: signupResult.duplicate },
  };
  post(context, ROUTES.signups, 'signups', route, async (body, c) => {
    const signup = parseOrNote(body, ownFields, context);
    await checkHuman?.(readField(body, 'human_token'), {
      email: signup.email,
      submissionId: signup.submission_id,
      clientAddress: readAddress(c, context),
    });
    await limiter.take([{ limit: 'signupsPerMailbox', key: normalizeMailbox(signup.email) }]);
    await requireUsableAddress(signup.email, c, context);
    const language = findVisitorLanguage(readField(body, 'lang'), c.req.header('accept-language'));
    const result = await adapter.createSignup(signup, language);
    return respondWithCors(c, context, result === 'duplicate' ? 200 : 201, JSON.stringify({ result }));
  });
}

function mountInbox(context: RouteContext): void {
  const https = context.publicUrl?.protocol === 'https:';
  const route = {
    summary: 'The texts for a visitor whose signup is `pending`, with a link to their webmail.',
    details: 'Sets a cookie with the id of the signup, so that this browser confirms without a click.',
    body: inboxBody,
    responses: { 200: inboxSchema },
  };
  post(context, ROUTES.inbox, 'welcomeEmails', route, async (body, c) => {
    const { email, submission_id, lang } = parseInput(inboxBody, body);
    const inbox = inboxTexts(parseEmail(email), context.texts[chooseLanguage(lang, c.req.header('accept-language'))]);
    const result = respondWithCors(c, context, 200, JSON.stringify(inbox));
    result.headers.append('Set-Cookie', serialize(SIGNUP_KEY, submission_id, keyCookie(https)));
    return result;
  });
}

/** Only sent to the page that reads it. A page of another site may have it stored, if the browser lets it. */
const keyCookie = (https: boolean) =>
  ({
    path: '/confirm',
    maxAge: linkExpiry('confirm', 0) / SECOND_MS,
    secure: https,
    sameSite: https ? 'None' : 'Lax',
  }) as const;

function mountWelcomeEmail(context: RouteContext, adapter: StorageAdapter): void {
  const route = {
    summary: 'Asks for the first email.',
    details: 'At most one is sent per signup, and none to an address that is not signed up. The response is the same.',
    body: emailBody,
    responses: { 202: null },
  };
  post(context, ROUTES.welcomeEmail, 'welcomeEmails', route, async (body, c) => {
    const email = parseEmail(readField(body, 'email'));
    await context.limiter.take([{ limit: 'welcomeEmailsPerMailbox', key: normalizeMailbox(email) }]);
    await adapter.sendWelcomeEmail(email);
    return new Response(null, { status: 202, headers: { ...corsHeaders(c, context), 'Content-Length': '0' } });
  });
}

function mountSessions(context: RouteContext, adapter: StorageAdapter): void {
  const start = { summary: 'Starts a session. The client makes its id.', body: sessionStart, responses: { 204: null } };
  post(context, ROUTES.sessions, 'sessions', start, async (body, c) => {
    const session = parseSessionStart(body);
    if (isRobot(session.user_agent)) context.count('robots');
    else {
      await takeSessionBytes(session, c, context);
      await adapter.startSession(session);
    }
    return respondWithCors(c, context, 204, null);
  });

  const update = {
    summary:
      'Stores the totals of a session, merged by maximum, so that updates may be repeated and overtake each other.',
    body: sessionUpdate,
    responses: { 204: null },
  };
  post(context, `${ROUTES.sessions}/:id`, 'sessions', update, async (body, c) => {
    const [id, update] = [parseSessionId(c.req.param('id')), parseSessionUpdate(body)];
    // It was counted when its session started.
    if (!isRobot(update.user_agent)) {
      await takeSessionBytes(update, c, context);
      await adapter.updateSession(id, update);
    }
    return respondWithCors(c, context, 204, null);
  });
}

/** An update counts like a start: it may be the first that is stored of its session. */
async function takeSessionBytes(record: SessionStart | SessionUpdate, c: AppContext, context: RouteContext) {
  const cost = Buffer.byteLength(JSON.stringify(record));
  const own = listUses('sessionBytes', identifyClient(c, context));
  await context.limiter.take(
    [...own, { limit: 'allSessionBytes', key: 'all' } as const].map((use) => ({ ...use, cost })),
  );
}

function mountSummary(context: RouteContext, adapter: StorageAdapter): void {
  const route = {
    summary: 'The four figures of the overlay, for the address of an admin.',
    body: adminEmailBody,
    responses: { 200: summarySchema },
  };
  post(context, ROUTES.summary, 'summaries', route, async (body, c) => {
    const summary = await limitWrongAdmins(adapter.readSummary, {
      given: readField(body, 'admin_email'),
      limiter: context.limiter,
      client: identifyClient(c, context),
    });
    return respondWithCors(c, context, 200, JSON.stringify(summary));
  });
}

/** Mounts a route for visitors' pages of any allowed origin. */
export function post(
  context: RouteContext,
  path: string,
  limit: keyof RateLimits,
  route: RouteDescription & Required<Pick<RouteDescription, 'body'>>,
  respond: (body: unknown, c: AppContext) => Promise<Response>,
): void {
  const bodies = Object.fromEntries(JSON_TYPES.map((type) => [type, route.body]));
  mountRoute(
    context,
    { ...route, method: 'post', path: DEFAULT_BASE + path, access: 'public', bodies },
    async (c) => {
      // Before the limit, because refused visitors are the reason to warn. An update of a session is no other visitor.
      if (path === ROUTES.signups || path === ROUTES.sessions) noteVisitor(c, context);
      const body = parseJson(await readText(c, context, limit, JSON_TYPES));
      try {
        return await respond(body, c);
      } catch (error) {
        // The parsers name the first problem. The schema, which is slower, names all.
        if (isStorageError(error) && error.code === 'invalid') parseInput(route.body, body);
        throw error;
      }
    },
    failWithCors(context),
  );
}

/** Throws a `Failure` with a text for the visitor if the settings do not accept the address. */
async function requireUsableAddress(email: string, c: AppContext, context: RouteContext): Promise<void> {
  const problem = await findAddressProblem(email, context);
  if (problem === null) return;
  const texts = context.texts[chooseLanguage(null, c.req.header('accept-language'))];
  // The form reads it without a parser.
  const text = texts[RESULTS[problem].title].replaceAll(/["\\\p{Cc}]/gu, ' ');
  throw new Failure(400, 'invalid', ADDRESS_PROBLEMS[problem], { text });
}

/** Notes a signup whose fields are not as declared: the visitor sees an error that they cannot correct. */
function parseOrNote(
  body: unknown,
  ownFields: ReturnType<typeof signupFields>,
  { fields, noteRefusal }: RouteContext,
): EmailSignup {
  try {
    return readSignup(body, fields);
  } catch (error) {
    // No page sends such a key by mistake.
    if (hasPrototypeKey(body)) throw error;
    try {
      parseInput(ownFields, body);
    } catch (problem) {
      noteRefusal('fields', toFailure(problem).message);
    }
    throw error;
  }
}

function preflight(c: AppContext, context: RouteContext): Response {
  checkOrigin(c, context);
  const headers = {
    ...corsHeaders(c, context),
    'Access-Control-Allow-Methods': 'POST',
    'Access-Control-Allow-Headers': 'Content-Type',
    'Access-Control-Max-Age': '7200',
  };
  return new Response(null, { status: 204, headers });
}

/** A JSON response that the page of an allowed origin may read. */
export function respondWithCors(c: AppContext, context: RouteContext, status: number, body: string | null): Response {
  return new Response(body, { status, headers: corsHeaders(c, context) });
}

export function failWithCors(context: RouteContext): (failure: Failure, c: AppContext) => Response {
  return (failure, c) => failureResponse(failure, corsHeaders(c, context));
}

function corsHeaders(c: AppContext, context: RouteContext): Record<string, string> {
  const origin = allowedOrigin(c, context);
  if (origin === undefined) return JSON_HEADERS;
  return {
    ...JSON_HEADERS,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'Retry-After',
  };
}
