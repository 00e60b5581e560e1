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

/** The application without the server socket. */
export interface EarlyAccess extends App {
  /**
   * Starts the jobs, such as sending queued emails and deleting old sessions, for as long as the process runs.
   * `siteUrl` is the base URL of links in emails if neither the brand nor `publicUrl` specifies one; by default, on a
   * local run, it is the URL of the first request. Does nothing if the jobs already run.
   */
  start(siteUrl?: string): void;
  /** Stops the jobs. Waits at most `withinMs` for deliveries in progress; queued messages wait for the next start. */
  stop(withinMs?: number): Promise<void>;
  /**
   * Runs one round of the jobs from a cron job, for hosts without a long-running process. Starts nothing new after
   * `withinMs` (default: 60 seconds). Rounds may overlap. Rejects if the store fails.
   */
  runJobs(options?: { readonly withinMs?: number }): Promise<void>;
  /** Sends a sign-in link if the address is an admin's, and otherwise does nothing. For hosts with `queueSignIn`. */
  deliverSignIn(email: string): Promise<void>;
}

/**
 * Creates the application on a store: the API, the form for browsers without scripts, the site, the dashboard and the
 * emails. Throws a `ConfigError` for unknown options and invalid values or templates.
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

/** The options of `createHandler`. All have defaults. */
export type HandlerOptions = RouteContextOptions;

/** Responds to a request; never rejects. The URL must contain the whole path, starting with `/api`. */
export type Handler = (request: Request, source?: RequestSource) => Promise<Response>;

/**
 * Creates a handler for the public routes below `/api` on your own database: signups, the welcome email, sessions, the
 * summary and the form without scripts. They are the same routes as those of `createEarlyAccess`: they validate input,
 * check origins, limit callers and body sizes, and handle errors. Your adapter must provide the guarantees of
 * `StorageAdapter`: `readSummary` compares the admin's address, and `sendWelcomeEmail` sends the email. The message of
 * a `StorageError` is returned to the caller; any other error is logged and becomes a 500.
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
