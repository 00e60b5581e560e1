import { DEFAULT_BASE, ROUTES } from 'early-access-kit/core';
import type { EarlyAccess } from 'early-access-server';
import { CHALLENGE_ROUTE, type Log } from 'early-access-server/app';
import type { Response as ExpressResponse } from 'express';
import type { Request as FunctionRequest } from 'firebase-functions/v2/https';
import { sendResponse, toFetchRequest } from './express.ts';
import { reasonOf } from './log.ts';

/** What Hosting rewrites to the functions. Everything else of the interface is Firestore's, under its rules. */
export const ADMIN_PATHS = ['admin/', 'brand', 'openapi.json'].map((path) => `${DEFAULT_BASE}/${path}`);
/** The pages and routes that links in emails lead to, and what the product calls to let invited people in. */
export const LINK_PATHS = ['confirm', 'unsubscribe', 'invites/'].flatMap((path) => [
  `${DEFAULT_BASE}/${path}`,
  `/${path}`,
]);
/** What `httpAdapter` calls to sign up, and what the page of a human check needs for it. */
export const SIGNUP_PATHS = [ROUTES.signups, ROUTES.welcomeEmail, CHALLENGE_ROUTE].map((path) => DEFAULT_BASE + path);
/** Work that a response does not wait for is finished before the function ends, which may stop the processor. */
const AFTERWARDS_MS = 5_000;

/** The application's own routes under these paths, behind Express. `earlyAccess` may throw if a setting cannot be used. */
export function hostedRoutes(
  paths: readonly string[],
  earlyAccess: () => Pick<EarlyAccess, 'fetch' | 'stop'>,
  { log, failure }: { readonly log: Log; readonly failure: string },
) {
  return async (request: FunctionRequest, response: ExpressResponse): Promise<void> => {
    if (!paths.some((path) => request.path.startsWith(path))) return void response.status(404).end();
    try {
      const app = earlyAccess();
      const result = await app.fetch(toFetchRequest(request), { incoming: request });
      await app.stop(AFTERWARDS_MS);
      await sendResponse(result, response);
    } catch (error) {
      log('error', failure, { reason: reasonOf(error) });
      if (response.headersSent) response.destroy();
      else
        response.status(503).json({ error: { code: 'unavailable', message: 'a setting cannot be used; see the log' } });
    }
  };
}
