import type { StorageAdapter } from 'early-access-kit/core';
import { mountMistakes } from '../../app/access/host-mistakes.ts';
import { silentLog } from '../../app/ports/log.ts';
import { signupRefusals } from '../../app/signup/signup-refusals.ts';
import { type RequestSource, type RouteContextOptions, routeContext } from '../routing/request-context.ts';
import { checkHandlerOptions, checkOptions } from './check-options.ts';
import { runJobsOnce, startJobs, stopJobs } from './lifecycle.ts';
import type { EarlyAccessOptions } from './options.ts';
import { type App, createRoutes, createVisitorRoutes } from './routes.ts';
import { adminService, createServices, learnServerUrl, listNotified, sendSignIn, wakeJobs } from './services.ts';

/** The application: everything but the socket. */
export interface EarlyAccess extends App {
  /**
   * Starts the jobs: sending queued emails, deleting old sessions and so on, for as long as the process runs. `siteUrl`
   * is where links in emails lead if neither the brand nor `publicUrl` says so; by default, on a local run, where the
   * first request came to. Does nothing if they run already.
   */
  start(siteUrl?: string): void;
  /**
   * Stops what `start` started. Waits at most `withinMs` for deliveries in progress; queued messages wait for the next
   * start.
   */
  stop(withinMs?: number): Promise<void>;
  /**
   * One round for a cron job, for hosts without a long-running process: sends what is due, deletes old sessions and so
   * on. Begins nothing new after `withinMs`, 60 seconds by default. Rounds may overlap. Rejects if the store fails.
   */
  runJobs(options?: { readonly withinMs?: number }): Promise<void>;
  /**
   * Sends a sign-in link if the address is an admin's, and does nothing for any other. For hosts with `queueSignIn`.
   */
  deliverSignIn(email: string): Promise<void>;
}

/**
 * The API, the form for browsers without scripts, the site, the admin's dashboard and the emails, over a store. Throws
 * a `ConfigError` if there is no such option, or its value or a template cannot be used.
 *
 * @example
 * const app = createEarlyAccess({ store: sqliteStore({ file: 'data/early-access.sqlite' }) });
 * export const POST = (request: Request) => app.fetch(request);
 */
export function createEarlyAccess(given: EarlyAccessOptions): EarlyAccess {
  const options = checkOptions(given);
  const services = createServices(options);
  const routes = createRoutes({
    ...options,
    rateLimiter: services.limiter,
    wakeMail: () => wakeJobs(services),
    listNotified: () => listNotified(services),
    count: services.tallies.count,
    noteMistake: services.mistakes.note,
    noteRefusal: services.refusals.note,
    noteResponse: services.metrics?.noteResponse,
    readMetrics: services.metrics?.read,
    admin: adminService(services),
  });
  return {
    fetch(request, source) {
      learnServerUrl(services, request.url);
      return routes.fetch(request, source);
    },
    handles: routes.handles,
    deliverSignIn: (email) => sendSignIn(services, email),
    start: (siteUrl) => startJobs(services, siteUrl),
    stop: (withinMs = 0) => stopJobs(services, withinMs),
    runJobs: ({ withinMs = 60_000 } = {}) => runJobsOnce(services, withinMs),
  };
}

/** The options of `createHandler`, all of which have a default. */
export type HandlerOptions = RouteContextOptions;

/** Responds to a request; never rejects. Expects the whole path, from `/api` on. */
export type Handler = (request: Request, source?: RequestSource) => Promise<Response>;

/**
 * The public routes below `/api` over an adapter for a database of your own: signups, the welcome email, sessions, the
 * summary and the form without scripts. They validate input, check origins, limit callers and bodies, and respond to
 * errors as `createEarlyAccess` does, whose own routes they are. The adapter keeps the guarantees of `StorageAdapter`:
 * `readSummary` compares the admin's address, and `sendWelcomeEmail` sends. What a `StorageError` says goes to the
 * caller; any other error is logged and becomes a 500.
 *
 * @example
 * const handler = createHandler(ownDatabaseAdapter(options), { publicUrl: new URL('https://www.example.com') });
 */
export function createHandler(adapter: StorageAdapter, given: HandlerOptions = {}): Handler {
  const options = checkHandlerOptions(given);
  const { log = silentLog, clock = Date.now } = options;
  const { note: noteMistake } = mountMistakes({ log, clock });
  const context = routeContext(options, { noteMistake, noteRefusal: signupRefusals({ log, clock }).note });
  const app = createVisitorRoutes(context, adapter);
  return async (request, source) => app.fetch(request, source);
}
