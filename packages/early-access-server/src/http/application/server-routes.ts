import { DEFAULT_BASE } from 'early-access-kit/internal';
import { listUses } from '../../app/access/rate-limits.ts';
import { type BrandFile, FONT_PATH, fontFile, MARK_PATH, markFile } from '../../app/brand/brand-files.ts';
import { describeError } from '../../app/ports/log.ts';
import type { Store } from '../../app/ports/store.ts';
import { hasBearer } from '../routing/api-key-access.ts';
import { Failure } from '../routing/failure.ts';
import { mountRoute } from '../routing/mount-route.ts';
import { METRICS_PATH } from '../routing/own-paths.ts';
import { identifyClient, type RouteContext } from '../routing/request-context.ts';
import { brandResponse, ping } from '../routing/schemas/server.ts';
import { NO_STORE, PLAIN_HEADERS } from '../routing/security-headers.ts';
import type { ReadMetrics } from './server-metrics.ts';

const HEADERS = { ...PLAIN_HEADERS, 'Cache-Control': NO_STORE };
const ROUTE = { method: 'get', access: 'public', failures: [] } as const;
const HEALTH = { ...ROUTE, path: '/healthz', summary: 'Whether the database responds.' };
const BRAND = { ...ROUTE, path: `${DEFAULT_BASE}/brand`, summary: 'The name and the look of the product.' };
const MARK = { ...ROUTE, path: MARK_PATH, summary: 'The symbol before the name of the product.' };
const FONT = { ...ROUTE, path: FONT_PATH, summary: 'The typeface of the product.' };
const METRICS = {
  method: 'get',
  path: METRICS_PATH,
  access: 'metrics-key',
  summary: 'Metrics for Prometheus.',
  responses: { 200: { 'text/plain': null } },
  failures: [401, 429, 503],
} as const;

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

/** Mounts the monitoring route. A wrong key takes a token after the comparison, so nobody can lock monitoring out. */
export function mountMetrics(context: RouteContext, key: string, read: ReadMetrics): void {
  mountRoute(context, METRICS, async (c) => {
    if (!hasBearer(c.req.raw, key)) {
      await context.limiter.take(listUses('adminRequests', identifyClient(c, context)));
      throw new Failure(401, 'forbidden', 'Authorization must be "Bearer" and METRICS_KEY');
    }
    const { text, type } = await read();
    return new Response(text, { headers: { ...HEADERS, 'Content-Type': type } });
  });
}

export function mountBrand(context: RouteContext): void {
  const { name, colors = {}, radius, font } = context.brand;
  const [markOfBrand, fontOfBrand] = [markFile(context.brand), fontFile(context.brand)];
  const brand = {
    name,
    colors,
    radius,
    mark: markOfBrand?.path,
    font: font && fontOfBrand && { families: font.families, path: fontOfBrand.path, weights: fontOfBrand.weights },
  };
  mountRoute(context, { ...BRAND, responses: { 200: brandResponse } }, () =>
    Response.json(brand, { headers: HEADERS }),
  );
  if (markOfBrand) {
    const responses = { 200: { [markOfBrand.type]: null } };
    mountRoute(context, { ...MARK, responses }, () => fileResponse(markOfBrand));
  }
  if (fontOfBrand) {
    mountRoute(context, { ...FONT, responses: { 200: { 'font/woff2': null } } }, () => fileResponse(fontOfBrand));
  }
}

/**
 * The path changes with the file, so it can be cached indefinitely. SVGs may contain styles, but the policy allows
 * nothing else if they are opened as a page.
 */
function fileResponse({ type, bytes }: BrandFile): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...PLAIN_HEADERS,
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
      // Also shown by mail programs and cross-origin isolated pages.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // Browsers load fonts with CORS; sandboxed frames and emails have no origin.
      'Access-Control-Allow-Origin': '*',
      'Cache-Control': 'public, max-age=86400',
      'Content-Type': type,
    },
  });
}
