import { randomUUID } from 'node:crypto';
import { DEFAULT_BASE, HOUR_MS } from 'early-access-kit/internal';
import { hashToken, newToken } from '../../app/access/secrets.ts';
import { signInExpiry } from '../../app/admin/sign-in.ts';
import { describeError, silentLog } from '../../app/ports/log.ts';
import type { Store } from '../../app/ports/store.ts';
import { PEOPLE_READS } from '../../http/admin/people-routes.ts';
import { createEarlyAccess } from '../../http/application/early-access.ts';
import type { EarlyAccessOptions } from '../../http/application/options.ts';
import type { App } from '../../http/application/routes.ts';
import { isDashboard } from '../../http/pages/dashboard-page.ts';
import { Failure, failureResponse } from '../../http/routing/failure.ts';
import { IN_MEMORY } from '../../stores/sqlite/private-file.ts';
import { sqliteStore } from '../../stores/sqlite/sqlite-store.ts';
import { openSamples } from './sample-data.ts';

/** The admin of the sample data, whose address cannot receive email. */
export const DEMO_ADMIN = 'admin@example.com';
const COOKIE = 'early_access_demo';
const ADMIN_ROUTES = `${DEFAULT_BASE}/admin`;
const READS = Object.values(PEOPLE_READS).map((path) => ADMIN_ROUTES + path);
const READ_ONLY = new Failure(409, 'invalid', 'This is a demo, so nothing can be changed.');

interface Demo extends App {
  start(): void;
  stop(): Promise<void>;
}

/**
 * A public demo. Visitors sign up in one application without an admin. The dashboard belongs to another one that only
 * contains sample data, so that visitors cannot see each other's input. Both stores are in memory, and visitors' input
 * is deleted after an hour at most. There are no jobs and no mail transport, so no email is ever sent. `store` contains
 * the first sample data.
 */
export async function openDemo(given: EarlyAccessOptions): Promise<Demo> {
  const { log = silentLog } = given;
  const options = {
    ...given,
    mail: undefined,
    invites: undefined,
    share: undefined,
    mailEvents: {},
    statusPage: false,
  };
  let visitors = openVisitors(options);
  let samples = await openDashboard(options, given.store);
  let timer: NodeJS.Timeout | undefined;

  async function reset(): Promise<void> {
    const [oldVisitors, oldSamples] = [visitors, samples];
    visitors = openVisitors(options);
    oldVisitors.close();
    samples = await openDashboard(options, await openSamples());
    await oldSamples.close();
    log('info', 'demo-reset');
  }

  return {
    fetch(request, source) {
      const { pathname } = new URL(request.url);
      const isRead = request.method === 'GET' || (request.method === 'POST' && READS.includes(pathname));
      if (pathname === ADMIN_ROUTES || pathname.startsWith(`${ADMIN_ROUTES}/`)) {
        return isRead ? samples.app.fetch(withCookie(request, samples.cookie), source) : failureResponse(READ_ONLY);
      }
      const isOfAdmin = isDashboard(pathname) || pathname === `${DEFAULT_BASE}/summary`;
      return (isOfAdmin ? samples : visitors).app.fetch(request, source);
    },
    handles: (path) => isDashboard(path) || visitors.app.handles(path),
    start() {
      timer = setInterval(() => {
        void reset().catch((error: unknown) => log('error', 'demo-not-reset', { reason: describeError(error) }));
      }, HOUR_MS);
    },
    async stop() {
      clearInterval(timer);
      visitors.close();
      await samples.close();
    },
  };
}

/** The application with the form. It has no admin, so none of its routes returns an address. */
function openVisitors(options: EarlyAccessOptions) {
  const store = sqliteStore({ file: IN_MEMORY, welcomeEmail: false });
  const app = createEarlyAccess({ ...options, store, adminEmail: undefined, dashboard: undefined });
  return { app, close: () => store.close() };
}

/** The application with the dashboard, and the cookie of its only session. */
async function openDashboard(options: EarlyAccessOptions, store: Store) {
  const [link, token] = [newToken(), newToken()];
  const expires_at = signInExpiry(Date.now());
  await store.admin.addSignInToken({ hash: hashToken(link), email: DEMO_ADMIN, expires_at });
  await store.admin.redeemSignInToken(hashToken(link), { id: randomUUID(), hash: hashToken(token), device: 'Demo' });
  const app = createEarlyAccess({ ...options, store, adminEmail: DEMO_ADMIN, sessionCookie: COOKIE, site: undefined });
  return { app, cookie: `${COOKIE}=${token}`, close: () => store.close() };
}

function withCookie(request: Request, cookie: string): Request {
  const headers = new Headers(request.headers);
  headers.set('Cookie', cookie);
  return new Request(request, { headers });
}
