import { DEFAULT_BASE } from 'early-access-kit/core';
import type { Hono } from 'hono';
import { failureResponse, JSON_HEADERS, toFailure } from '../server/failure.ts';
import type { DescribedRoute } from '../server/openapi/route.ts';
import type { AppContext, AppEnv, RouteContext } from '../server/request-context.ts';

/** Mounts a route below `/api` for pages of the site's own origin and for programs. An error becomes its failure response. */
export function mountPost(
  app: Hono<AppEnv>,
  { report, describe }: RouteContext,
  path: string,
  route: Omit<DescribedRoute, 'method' | 'path'>,
  respond: (c: AppContext) => Promise<Response>,
): void {
  describe({ ...route, method: 'post', path: DEFAULT_BASE + path });
  app.post(DEFAULT_BASE + path, async (c) => {
    try {
      return await respond(c);
    } catch (error) {
      const failure = toFailure(error);
      report(failure, c);
      return failureResponse(failure);
    }
  });
}

export function jsonResponse(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: JSON_HEADERS });
}
