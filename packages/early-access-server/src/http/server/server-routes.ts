import { DEFAULT_BASE } from 'early-access-kit/core';
import type { Hono } from 'hono';
import { describeError, type Log } from '../../app/ports/log.ts';
import type { Store } from '../../app/ports/store.ts';
import type { AppEnv, RouteContext } from './request-context.ts';
import { brandResponse, ping } from './schemas/server.ts';
import { NO_STORE, PLAIN_HEADERS } from './security-headers.ts';

const HEADERS = { ...PLAIN_HEADERS, 'Cache-Control': NO_STORE };
const ROUTE = { method: 'get', access: 'public', failures: [] } as const;

export function mountHealthCheck(
  app: Hono<AppEnv>,
  { describe }: RouteContext,
  store: Pick<Store, 'ping'>,
  log: Log,
): void {
  const path = '/healthz';
  const responses = { 200: ping, 503: ping };
  describe({ ...ROUTE, path, summary: 'Whether the database responds.', responses });
  app.get(path, async (c) => {
    try {
      await store.ping();
      return c.json({ status: 'ok' }, 200, HEADERS);
    } catch (error) {
      log('error', 'unhealthy', { reason: describeError(error) });
      return c.json({ status: 'unavailable' }, 503, HEADERS);
    }
  });
}

export function mountBrand(app: Hono<AppEnv>, { describe, brand }: RouteContext): void {
  const path = `${DEFAULT_BASE}/brand`;
  describe({ ...ROUTE, path, summary: 'The name and the colors of the product.', responses: { 200: brandResponse } });
  app.get(path, (c) => c.json({ name: brand.name, colors: brand.colors ?? {} }, 200, HEADERS));
}
