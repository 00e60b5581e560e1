import { DEFAULT_BASE } from 'early-access-kit/internal';
import * as z from 'zod';
import { API_SCOPES, isOverviewLink } from '../../app/access/api-keys.ts';
import { listUses } from '../../app/access/rate-limits.ts';
import { findApiKey } from '../routing/api-key-access.ts';
import { parseJson, readBody } from '../routing/body.ts';
import { Failure, failureResponse } from '../routing/failure.ts';
import { mountRoute } from '../routing/mount-route.ts';
import { openApiDocument } from '../routing/openapi/document.ts';
import { readOperations } from '../routing/openapi/operations.ts';
import type { DescribedRoute } from '../routing/openapi/route.ts';
import { describeTools, type SendToolRequest, toolServer } from '../routing/openapi/tools.ts';
import { MCP_ROUTE } from '../routing/own-paths.ts';
import { type AppContext, checkType, identifyClient } from '../routing/request-context.ts';
import { ADMIN_HEADERS, type AdminRouter, checkSameOrigin, MAX_BYTES } from './admin-route.ts';

const message = z.looseObject({ jsonrpc: z.literal('2.0') });
const problem = { 'application/json': z.looseObject({}) };
const ROUTE = {
  method: 'post',
  path: DEFAULT_BASE + MCP_ROUTE,
  access: 'api-key',
  scopes: API_SCOPES,
  summary: 'The tools of an API key for an agent: Model Context Protocol over streamable HTTP, without sessions.',
  body: message,
  responses: {
    200: { 'application/json': message, 'text/event-stream': null },
    202: null,
    // Protocol errors have their own body.
    400: problem,
    404: problem,
  },
  failures: [401, 403, 413, 415, 429, 500, 503],
} as const satisfies DescribedRoute;

const INSTALL =
  'this server has no MCP: install @modelcontextprotocol/server beside early-access-server, and restart it';

/**
 * Serves MCP with the tools of the request's API key, which are those of the `mcp` command. Each tool calls its route
 * within the server, so the key's scopes, rate limits and audit apply. Every message is independent, so any instance
 * can handle the next one.
 */
export function mcpRoutes(router: AdminRouter): void {
  const { context, store } = router;
  let opened: ReturnType<typeof openHandler> | undefined;
  mountRoute(
    context,
    ROUTE,
    async (c) => {
      checkSameOrigin(c, context);
      await context.limiter.take(listUses('adminRequests', identifyClient(c, context)));
      const key = await findApiKey(c, context, store.apiKeys, 'apiKeyRequests');
      if (key === null || isOverviewLink(key))
        throw new Failure(401, 'forbidden', 'send an API key: Authorization: Bearer eak_…');
      checkType(c, ['application/json']);
      const parsedBody = parseJson(await readBody(c.req.raw, MAX_BYTES));
      if (Array.isArray(parsedBody)) throw new Failure(400, 'invalid', 'send one message in each request');
      opened ??= openHandler(router);
      const handle = await opened;
      const response = await handle(c, key, parsedBody);
      const headers = new Headers(response.headers);
      for (const [name, value] of Object.entries(ADMIN_HEADERS)) if (!headers.has(name)) headers.set(name, value);
      return new Response(response.body, { status: response.status, headers });
    },
    (failure) => failureResponse(failure, ADMIN_HEADERS),
  );
}

/** Loads the SDK lazily, because most servers never need it. Throws a `Failure` if it is not installed. */
async function openHandler({ context, cookie }: AdminRouter) {
  const sdk = await import('@modelcontextprotocol/server').catch((cause: unknown) => {
    throw new Failure(503, 'unavailable', INSTALL, { cause });
  });
  const tools = describeTools(readOperations(JSON.parse(openApiDocument(context, cookie.name))), sdk);

  /** Sends the tool's request to the same application with the caller's API key. */
  const sendAs =
    (c: AppContext, secret: string): SendToolRequest =>
    async (path, { headers, ...request }) => {
      const forwardedFor = c.req.header('x-forwarded-for');
      return context.app.fetch(
        new Request(new URL(path, c.req.url), {
          ...request,
          headers: {
            ...headers,
            Authorization: `Bearer ${secret}`,
            ...(forwardedFor !== undefined && { 'X-Forwarded-For': forwardedFor }),
          },
        }),
        c.env,
      );
    };

  return (c: AppContext, { secret, scopes }: { secret: string; scopes: readonly string[] }, parsedBody: unknown) => {
    const create = () => toolServer(tools, scopes, sdk, sendAs(c, secret));
    // A stream that stays open could outlive the instance.
    return sdk.createMcpHandler(create, { maxSubscriptions: 0 }).fetch(c.req.raw, { parsedBody });
  };
}
