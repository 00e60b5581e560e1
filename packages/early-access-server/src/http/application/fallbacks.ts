import { DEFAULT_BASE } from 'early-access-kit/internal';
import { MOUNT_ADVICE } from '../../app/access/host-mistakes.ts';
import { Failure, failureResponse, JSON_HEADERS } from '../routing/failure.ts';
import { findPathMistake, isApi, isPublicRoute, MCP_ROUTE } from '../routing/own-paths.ts';
import type { RouteContext } from '../routing/request-context.ts';

/** The response for an unknown path that belongs, or was meant to belong, to the API. Null for other paths. */
export function apiNotFound(path: string, { noteMistake }: RouteContext): Response | null {
  const mistake = findPathMistake(path);
  if (mistake === null) return isApi(path) ? unknownRoute(path) : null;
  noteMistake(mistake);
  return failureResponse(new Failure(404, 'invalid', MOUNT_ADVICE[mistake]));
}

/** The response for an unknown path or method: 405 if the path has other methods, otherwise 404. */
export function unknownRoute(path: string): Response {
  const route = path.slice(DEFAULT_BASE.length);
  // MCP clients try GET to listen and DELETE to end sessions. 405 means that neither is supported.
  if (route === MCP_ROUTE) return refuseMethod('POST');
  if (!isPublicRoute(route)) return failureResponse(new Failure(404, 'invalid', 'there is no such route'));
  // An unsubscribe URL for mail programs also allows GET, which redirects to its page.
  return refuseMethod(route === '/unsubscribe' ? 'GET, HEAD, POST, OPTIONS' : 'POST, OPTIONS');
}

function refuseMethod(allowed: string): Response {
  const headers = { ...JSON_HEADERS, Allow: allowed };
  return failureResponse(new Failure(405, 'invalid', `this route takes ${allowed}`), headers);
}
