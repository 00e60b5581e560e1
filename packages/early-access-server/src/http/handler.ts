import type { StorageAdapter } from 'early-access-kit/core';
import { Hono } from 'hono';
import { mountMistakes } from '../app/host-mistakes.ts';
import { silentLog } from '../app/ports.ts';
import { adminCookie } from './admin/admin-cookie.ts';
import { apiNotFound, failed, mountApi } from './api.ts';
import { mountDocument } from './openapi/document-route.ts';
import { type AppEnv, type RequestSource, type RouteContextOptions, routeContext } from './route-context.ts';
import { PLAIN_HEADERS } from './security-headers.ts';
import { mountSignupForm } from './signup-form.ts';

export type HandlerOptions = RouteContextOptions;

/** Responds to a request; never rejects. Expects the whole path, from `/api` on. */
export type Handler = (request: Request, source?: RequestSource) => Promise<Response>;

/**
 * The public routes below `/api` over an adapter for a database of your own: signups, the welcome email, sessions, the summary and the form
 * without scripts. They validate input, check origins, limit callers and bodies, and respond to errors as `createEarlyAccess` does, whose own
 * routes they are. The adapter keeps the guarantees of `StorageAdapter`: `readSummary` compares the admin's address, and `sendWelcomeEmail`
 * sends. What a `StorageError` says goes to the caller; any other error is logged and becomes a 500.
 */
export function createHandler(adapter: StorageAdapter, options: HandlerOptions = {}): Handler {
  const { log = silentLog, clock = Date.now } = options;
  const context = routeContext(options, { noteMistake: mountMistakes({ log, clock }).note });
  const app = new Hono<AppEnv>();
  mountApi(app, context, adapter);
  mountSignupForm(app, context, adapter);
  mountDocument(app, context, adminCookie(context.publicUrl?.protocol === 'https:').name);
  app.notFound(
    ({ req: { path } }) =>
      apiNotFound(path, context) ?? new Response('Not found\n', { status: 404, headers: PLAIN_HEADERS }),
  );
  app.onError(failed(context));
  return async (request, source) => app.fetch(request, source);
}
