import type { EarlyAccess } from 'early-access-server';
import { Failure, failureResponse, type Log } from 'early-access-server/internal';
import type { Request as FunctionRequest } from 'firebase-functions/v2/https';
import { readSource, serveExpress, toFetchRequest } from './express.ts';
import { isOneOf } from './hosted-paths.ts';

/** How long the function waits for background work after the response, because its processor may then be stopped. */
const AFTERWARDS_MS = 5_000;

/** Headers that the Firestore adapter sends if it has tokens, whether or not App Check is enforced. */
const TOKEN_HEADERS = 'X-Firebase-AppCheck, Authorization';

/** Routes of an application under these paths. */
interface HostedRoutes {
  readonly paths: readonly string[];
  /** Null if the settings disable the routes. May throw if a required setting is invalid. */
  readonly app: () => Pick<EarlyAccess, 'fetch' | 'stop'> | null;
  /** Returns whether the calling page passes App Check, if that is required. */
  readonly admits?: (request: FunctionRequest) => Promise<boolean>;
}

/** Serves routes behind Express. An invalid setting only affects the routes of its application. */
export function hostedRoutes(routes: readonly HostedRoutes[], log: Log, failure: string) {
  async function respond(request: FunctionRequest): Promise<Response> {
    const route = routes.find(({ paths }) => isOneOf(request.path, paths));
    const app = route?.app() ?? null;
    if (app === null) return failureResponse(new Failure(404, 'invalid', 'there is no such route'));
    if ((await route?.admits?.(request)) === false)
      return failureResponse(new Failure(403, 'forbidden', 'an App Check token is missing'));
    const result = await app.fetch(toFetchRequest(request), readSource(request));
    // Browsers send a preflight for these headers from other origins.
    if (request.method === 'OPTIONS') result.headers.append('Access-Control-Allow-Headers', TOKEN_HEADERS);
    await app.stop(AFTERWARDS_MS);
    return result;
  }
  const unavailable = () => failureResponse(new Failure(503, 'unavailable', 'a setting cannot be used; see the log'));
  return serveExpress(respond, unavailable, (reason) => log('error', failure, { reason }));
}
