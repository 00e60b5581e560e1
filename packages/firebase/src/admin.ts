import { DEFAULT_BASE } from 'early-access-kit/core';
import type { EarlyAccess } from 'early-access-server';
import type { Log } from 'early-access-server/app';
import type { Response as ExpressResponse } from 'express';
import type { Request as FunctionRequest } from 'firebase-functions/v2/https';
import { sendResponse, toFetchRequest } from './express.ts';
import { reasonOf } from './log.ts';

/** What Hosting rewrites to the function. Everything else of the interface is Firestore's, under its rules. */
const PATHS = [`${DEFAULT_BASE}/admin/`, `${DEFAULT_BASE}/brand`];
/** Work that a response does not wait for is finished before the function ends, which may stop the processor. */
const AFTERWARDS_MS = 5_000;

/** The admin's interface: the application's own routes behind Express. `earlyAccess` may throw if a setting cannot be used. */
export function adminInterface(earlyAccess: () => Pick<EarlyAccess, 'fetch' | 'stop'>, log: Log) {
  return async (request: FunctionRequest, response: ExpressResponse): Promise<void> => {
    if (!PATHS.some((path) => request.path.startsWith(path))) return void response.status(404).end();
    try {
      const app = earlyAccess();
      const result = await app.fetch(toFetchRequest(request), { incoming: request });
      await app.stop(AFTERWARDS_MS);
      await sendResponse(result, response);
    } catch (error) {
      log('error', 'admin-failed', { reason: reasonOf(error) });
      if (response.headersSent) response.destroy();
      else
        response.status(503).json({ error: { code: 'unavailable', message: 'a setting cannot be used; see the log' } });
    }
  };
}
