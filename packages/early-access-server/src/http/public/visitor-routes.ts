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
} from 'early-access-kit/internal';
import { serialize } from 'hono/utils/cookie';
import { limitWrongAdmins } from '../../app/access/admin-check.ts';
import { listUses, type RateLimits } from '../../app/access/rate-limits.ts';
import { normalizeMailbox } from '../../app/lifecycle/mailbox.ts';
import { linkExpiry } from '../../app/mail/message-kinds.ts';
import type { Store } from '../../app/ports/store.ts';
import { ADDRESS_PROBLEMS, type AddressProblem } from '../../app/signup/address-check.ts';
import { isListClosed } from '../../app/signup/list-status.ts';
import { readSignup } from '../../app/signup/read-signup.ts';
import { isAddressProblem, type SignupSteps, signUp } from '../../app/signup/sign-up.ts';
import { readField } from '../../app/text/read-field.ts';
import { closedFailure } from '../pages/closed-list.ts';
import { chooseLanguage, findVisitorLanguage } from '../pages/page.ts';
import { inboxTexts, type PageTexts } from '../pages/page-texts.ts';
import { RESULTS } from '../pages/result-page.ts';
import { parseJson } from '../routing/body.ts';
import { Failure, failureResponse, JSON_HEADERS, toFailure } from '../routing/failure.ts';
import { mountRoute } from '../routing/mount-route.ts';
import type { RouteDescription } from '../routing/openapi/route.ts';
import { hasPrototypeKey, parseInput } from '../routing/openapi/schema.ts';
import {
  type AppContext,
  allowedOrigin,
  checkOrigin,
  identifyClient,
  noteVisitor,
  type RouteContext,
  readAddress,
  readCountryOf,
  readText,
} from '../routing/request-context.ts';
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
} from '../routing/schemas/visitors.ts';

/** While a page of another origin is being closed, it may send text/plain without a preflight. */
const JSON_TYPES = ['text/plain', 'application/json'];

/** Stores sessions, with the country from the platform. */
type SessionStore = Pick<Store, 'startSession' | 'updateSession'>;

/**
 * Mounts the JSON routes of core's protocol on an adapter. Input is validated here. `sessions`, if given, stores
 * sessions and their countries instead of the adapter.
 */
export function mountVisitorRoutes(
  context: RouteContext,
  adapter: StorageAdapter,
  steps: SignupSteps,
  sessions: SessionStore = {
    startSession: (session) => adapter.startSession(session),
    updateSession: (id, update) => adapter.updateSession(id, update),
  },
): void {
  mountSignup(context, steps);
  mountInbox(context);
  mountWelcomeEmail(context, adapter);
  mountSessions(context, sessions);
  mountSummary(context, adapter);
  context.app.options(`${DEFAULT_BASE}/*`, (c) => preflight(c, context));
}

function mountSignup(context: RouteContext, steps: SignupSteps): void {
  const { fields } = context;
  const ownFields = signupFields(fields);
  const route = {
    summary: 'Signs up an address.',
    details:
      'Exactly one record per address, under any race. A repeated `submission_id` returns the current state of the signup. The message of an error names every field with a problem.',
    body: signupBody(fields, steps.checkHuman !== null),
    responses: { 201: signupResult.stored, 200: signupResult.duplicate },
    refusals: { 403: 'The page may not sign up, or the list accepts nobody now: then the code is `list-closed`.' },
  };
  post(context, ROUTES.signups, 'signups', route, async (body, c) => {
    const signup = parseOrNote(body, ownFields, context);
    const human = { token: readField(body, 'human_token') };
    const [lang, accepted] = [readField(body, 'lang'), c.req.header('accept-language')];
    const language = findVisitorLanguage(lang, accepted);
    const result = await signUp({ signup, language, clientAddress: readAddress(c, context), human }, steps);
    const texts = context.texts[chooseLanguage(typeof lang === 'string' ? lang : null, accepted)];
    if (isAddressProblem(result)) throw addressFailure(result, texts);
    if (isListClosed(result)) throw closedFailure(result, texts);
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

/** Only sent to the confirm page. Pages on other sites can set it if the browser allows third-party cookies. */
const keyCookie = (https: boolean) =>
  ({
    path: '/confirm',
    maxAge: linkExpiry('confirm', 0) / SECOND_MS,
    secure: https,
    sameSite: https ? 'None' : 'Lax',
  }) as const;

function mountWelcomeEmail(context: RouteContext, adapter: StorageAdapter): void {
  const route = {
    summary: 'Requests the first email.',
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

function mountSessions(context: RouteContext, store: SessionStore): void {
  const start = {
    summary: 'Starts a session. The client creates its id.',
    body: sessionStart,
    responses: { 204: null },
  };
  post(context, ROUTES.sessions, 'sessions', start, async (body, c) => {
    const session = parseSessionStart(body);
    if (isRobot(session.user_agent)) context.count('robots');
    else {
      await takeSessionBytes(session, c, context);
      await store.startSession(session, readCountryOf(c, context));
    }
    return respondWithCors(c, context, 204, null);
  });

  const update = {
    summary:
      'Stores the totals of a session, merged by maximum, so that updates may be repeated or arrive out of order.',
    body: sessionUpdate,
    responses: { 204: null },
  };
  post(context, `${ROUTES.sessions}/:id`, 'sessions', update, async (body, c) => {
    const [id, update] = [parseSessionId(c.req.param('id')), parseSessionUpdate(body)];
    // Bots were counted when their session started.
    if (!isRobot(update.user_agent)) {
      await takeSessionBytes(update, c, context);
      await store.updateSession(id, update, readCountryOf(c, context));
    }
    return respondWithCors(c, context, 204, null);
  });
}

/** An update counts like a start, because it may be the first stored record of its session. */
async function takeSessionBytes(record: SessionStart | SessionUpdate, c: AppContext, context: RouteContext) {
  const cost = Buffer.byteLength(JSON.stringify(record));
  const own = listUses('sessionBytes', identifyClient(c, context));
  await context.limiter.take(
    [...own, { limit: 'allSessionBytes', key: 'all' } as const].map((use) => ({ ...use, cost })),
  );
}

function mountSummary(context: RouteContext, adapter: StorageAdapter): void {
  const route = {
    summary: 'The analytics summary of the overlay, for an admin’s address.',
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
      // Before the limit, because rejected visitors are the reason for the warning. Updates of a session are not
      // further visitors.
      if (path === ROUTES.signups || path === ROUTES.sessions) noteVisitor(c, context);
      const body = parseJson(await readText(c, context, limit, JSON_TYPES));
      try {
        return await respond(body, c);
      } catch (error) {
        // The parsers report only the first problem. The slower schema reports all of them.
        if (isStorageError(error) && error.code === 'invalid') parseInput(route.body, body);
        throw error;
      }
    },
    failWithCors(context),
  );
}

/** An address that the settings do not accept, with a text for the visitor. */
export function addressFailure(problem: AddressProblem, texts: PageTexts): Failure {
  return new Failure(400, 'invalid', ADDRESS_PROBLEMS[problem], { text: texts[RESULTS[problem].title] });
}

/** Reports signups whose fields do not match the declaration: the visitor sees an error that they cannot correct. */
function parseOrNote(
  body: unknown,
  ownFields: ReturnType<typeof signupFields>,
  { fields, noteRefusal }: RouteContext,
): EmailSignup {
  try {
    return readSignup(body, fields);
  } catch (error) {
    // Never caused by a mistake in a page.
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

/** A JSON response that pages of an allowed origin may read. */
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
