import { DEFAULT_BASE } from 'early-access-kit/core';
import { describeError } from '../../app/ports/log.ts';
import type { Store } from '../../app/ports/store.ts';
import { mountRoute } from './mount-route.ts';
import type { RouteContext } from './request-context.ts';
import { brandResponse, ping } from './schemas/server.ts';
import { NO_STORE, PLAIN_HEADERS } from './security-headers.ts';

const HEADERS = { ...PLAIN_HEADERS, 'Cache-Control': NO_STORE };
const ROUTE = { method: 'get', access: 'public', failures: [] } as const;
const HEALTH = { ...ROUTE, path: '/healthz', summary: 'Whether the database responds.' };
const BRAND = { ...ROUTE, path: `${DEFAULT_BASE}/brand`, summary: 'The name and the colors of the product.' };

export function mountHealthCheck(context: RouteContext, store: Pick<Store, 'ping'>): void {
  mountRoute(context, { ...HEALTH, responses: { 200: ping, 503: ping } }, async () => {
    try {
      await store.ping();
      return Response.json({ status: 'ok' }, { headers: HEADERS });
    } catch (error) {
      context.log('error', 'unhealthy', { reason: describeError(error) });
      return Response.json({ status: 'unavailable' }, { status: 503, headers: HEADERS });
    }
  });
}

export function mountBrand(context: RouteContext): void {
  const { name, colors = {} } = context.brand;
  mountRoute(context, { ...BRAND, responses: { 200: brandResponse } }, () =>
    Response.json({ name, colors }, { headers: HEADERS }),
  );
}
