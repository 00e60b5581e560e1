import { routePath } from 'hono/route';
import { describeError } from '../../app/ports/log.ts';
import { type Failure, failureResponse, toFailure } from './failure.ts';
import type { DescribedRoute } from './openapi/route.ts';
import type { AppContext, RouteContext } from './request-context.ts';

/** Mounts a route and adds it to the OpenAPI document. Errors are logged and converted to a response by `fail`. */
export function mountRoute(
  context: RouteContext,
  route: DescribedRoute,
  respond: (c: AppContext) => Response | Promise<Response>,
  fail: (failure: Failure, c: AppContext) => Response = (failure) => failureResponse(failure),
): void {
  context.routes.push(route);
  context.app[route.method](
    route.path,
    measured(context, route.path, async (c) => {
      try {
        return await respond(c);
      } catch (error) {
        return fail(noteFailure(error, c, context), c);
      }
    }),
  );
}

/** Wraps a handler so that its responses are reported. `route` is a pattern, because paths can contain anything. */
export function measured(
  { noteResponse }: Pick<RouteContext, 'noteResponse'>,
  route: string,
  respond: (c: AppContext) => Response | Promise<Response>,
): (c: AppContext) => Response | Promise<Response> {
  if (noteResponse === null) return respond;
  return async (c) => {
    const startedAt = performance.now();
    const response = await respond(c);
    const seconds = (performance.now() - startedAt) / 1_000;
    noteResponse({ method: c.req.method, route, status: response.status, seconds });
    return response;
  };
}

/** Converts any error to a `Failure`, and logs server errors. */
export function noteFailure(error: unknown, c: AppContext, { log }: RouteContext): Failure {
  const failure = toFailure(error);
  const { status } = failure;
  // Logs the route's pattern rather than the path, because a client can put an address into a path.
  if (status >= 500) log('error', 'request-failed', { route: routePath(c), status, reason: describeError(failure) });
  return failure;
}
