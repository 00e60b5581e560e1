import { once } from 'node:events';
import { createServer } from 'node:http';
import { normalizeEmail } from '../../src/core/email.ts';
import { isStorageError } from '../../src/core/errors.ts';
import { analyticsWindowStart, toSummary } from '../../src/core/metrics.ts';
import { STATUS_OF_CODE } from '../../src/core/protocol.ts';
import type { AnalyticsSummary } from '../../src/core/records.ts';
import { parseEmail } from '../../src/core/validation.ts';
import type { AdminDatabase } from './admin-database.ts';

export interface Callables {
  readonly url: string;
  readonly welcomed: readonly string[];
  /** Makes every call fail, or never respond. */
  breakDown(how: 'fail' | 'hang'): void;
  stop(): Promise<void>;
}

interface CallablesOptions {
  admin: AdminDatabase;
  adminEmail: string;
}

const STATUS = { invalid: 'INVALID_ARGUMENT', forbidden: 'PERMISSION_DENIED' } as const;

/** Fakes of the two callable functions, complete enough to test the adapter's requests and its use of the responses. */
export async function serveCallables({ admin, adminEmail }: CallablesOptions): Promise<Callables> {
  const welcomed: string[] = [];
  const functions: Record<string, (data: { email?: unknown; adminEmail?: unknown }) => Promise<unknown>> = {
    'send-welcome-email': async ({ email }) => {
      const address = parseEmail(email);
      const listed = (await admin.signups()).some((signup) => signup.email === address);
      if (listed && !welcomed.includes(address)) welcomed.push(address);
      return null;
    },
    'read-analytics': async ({ adminEmail: given }) => {
      if (normalizeEmail(String(given)) !== adminEmail) return undefined;
      return computeSummary(admin, Date.now());
    },
  };

  let broken: 'fail' | 'hang' | undefined;
  const server = createServer(async (request, response) => {
    if (broken === 'hang') return;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'content-type, x-firebase-appcheck, authorization');
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    const reply = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    const run = functions[request.url?.split('/').at(-1) ?? ''];
    if (!run) return reply(404, {});
    if (broken) return reply(500, { error: { status: 'INTERNAL' } });
    if (request.headers['content-type'] !== 'application/json')
      return reply(400, { error: { status: STATUS.invalid } });
    try {
      const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString());
      const result = await run(data);
      if (result === undefined) return reply(403, { error: { status: STATUS.forbidden } });
      return reply(200, { result });
    } catch (error) {
      if (!isStorageError(error)) return reply(500, { error: { status: 'INTERNAL' } });
      return reply(STATUS_OF_CODE[error.code], { error: { status: STATUS.invalid } });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    welcomed,
    breakDown(how) {
      broken = how;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function computeSummary(admin: AdminDatabase, now: number): Promise<AnalyticsSummary> {
  const since = analyticsWindowStart(now);
  const [all, seen, signups] = await Promise.all([admin.sessions(), admin.visitors(), admin.signups()]);
  const sessions = all.filter(({ session_start }) => session_start >= since);
  const durations = sessions.map(({ total_duration }) => total_duration);
  return toSummary(
    {
      sessions: sessions.length,
      bounces: sessions.filter(({ is_bounce }) => is_bounce).length,
      duration: durations.reduce((sum, seconds) => sum + seconds, 0),
      timed_sessions: durations.filter((seconds) => seconds > 0).length,
    },
    seen.filter(({ last_seen }) => last_seen >= since).length,
    signups.length,
  );
}
