import { DEFAULT_BASE, ROUTES } from 'early-access-kit/core';
import type { EarlyAccess } from 'early-access-server';
import { CHALLENGE_ROUTE, Failure, failureResponse, type Log } from 'early-access-server/app';
import type { Request as FunctionRequest } from 'firebase-functions/v2/https';
import { readSource, serveExpress, toFetchRequest } from './express.ts';

/** Paths that Hosting rewrites to the functions. Browsers call Firestore directly for the rest. */
export const ADMIN_PATHS = ['admin/', 'brand', 'openapi.json'].map((path) => `${DEFAULT_BASE}/${path}`);
/** The pages and routes of links in emails, also of links that a mail filter has changed, and the texts for a visitor who waits for one. */
export const LINK_PATHS = [
  ...['/confirm', '/unsubscribe', '/links', ROUTES.inbox].map((path) => DEFAULT_BASE + path),
  '/confirm',
  '/unsubscribe',
  '/invite',
  '/admin',
];
/** The routes that the product calls to let invited people in. */
export const INVITE_PATHS = [`${DEFAULT_BASE}/invites/`];
/** The routes that mail providers call. */
export const MAIL_EVENT_PATHS = [`${DEFAULT_BASE}/mail-events/`];
/** The routes that `httpAdapter` calls to sign up, and the challenge of the human check. */
export const SIGNUP_PATHS = [ROUTES.signups, ROUTES.welcomeEmail, CHALLENGE_ROUTE].map((path) => DEFAULT_BASE + path);
/** Work that a response does not wait for is finished before the function ends, which may stop the processor. */
const AFTERWARDS_MS = 5_000;

/** Routes of an application under these paths. */
interface HostedRoutes {
  readonly paths: readonly string[];
  /** Null if these settings leave the routes out. May throw if a setting that the routes need cannot be used. */
  readonly app: () => Pick<EarlyAccess, 'fetch' | 'stop'> | null;
}

/** Serves routes behind Express. A setting that cannot be used only affects the routes of its application. */
export function hostedRoutes(routes: readonly HostedRoutes[], log: Log, failure: string) {
  async function respond(request: FunctionRequest): Promise<Response> {
    const app = routes.find(({ paths }) => paths.some((path) => request.path.startsWith(path)))?.app() ?? null;
    if (app === null) return failureResponse(new Failure(404, 'invalid', 'there is no such route'));
    const result = await app.fetch(toFetchRequest(request), readSource(request));
    await app.stop(AFTERWARDS_MS);
    return result;
  }
  const unavailable = () => failureResponse(new Failure(503, 'unavailable', 'a setting cannot be used; see the log'));
  return serveExpress(respond, unavailable, (reason) => log('error', failure, { reason }));
}
