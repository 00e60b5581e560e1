import { DEFAULT_BASE } from 'early-access-kit/internal';
import { MOUNT_ADVICE } from '../../app/access/host-mistakes.ts';
import { Failure, failureResponse, JSON_HEADERS } from '../routing/failure.ts';
import { findPathMistake, isApi, isPublicRoute, MCP_ROUTE } from '../routing/own-paths.ts';
import type { RouteContext } from '../routing/request-context.ts';

/** The response for a path without a route that is the API's or should be; null for any other. */
export function apiNotFound(path: string, { noteMistake }: RouteContext): Response | null {
  const mistake = findPathMistake(path);
  if (mistake === null) return isApi(path) ? unknownRoute(path) : null;
  noteMistake(mistake);
  return failureResponse(new Failure(404, 'invalid', MOUNT_ADVICE[mistake]));
}

/** The response for a path or method without a route: 405 if the path takes other methods, else 404. */
export function unknownRoute(path: string): Response {
  const route = path.slice(DEFAULT_BASE.length);
  // Clients of MCP ask with GET whether they can listen, and end sessions with DELETE; 405 means that there are none.
  if (route === MCP_ROUTE) return refuseMethod('POST');
  if (!isPublicRoute(route)) return failureResponse(new Failure(404, 'invalid', 'there is no such route'));
  // A link to unsubscribe that is opened leads to its page.
  return refuseMethod(route === '/unsubscribe' ? 'GET, HEAD, POST, OPTIONS' : 'POST, OPTIONS');
}

function refuseMethod(allowed: string): Response {
  const headers = { ...JSON_HEADERS, Allow: allowed };
  return failureResponse(new Failure(405, 'invalid', `this route takes ${allowed}`), headers);
}
