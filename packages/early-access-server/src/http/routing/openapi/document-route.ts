import { DEFAULT_BASE } from 'early-access-kit/internal';
import * as z from 'zod';
import { mountRoute } from '../mount-route.ts';
import type { RouteContext } from '../request-context.ts';
import { PLAIN_HEADERS } from '../security-headers.ts';
import { openApiDocument } from './document.ts';

const HEADERS = { ...PLAIN_HEADERS, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' };
const ROUTE = {
  method: 'get',
  path: `${DEFAULT_BASE}/openapi.json`,
  access: 'public',
  summary: 'This document.',
  responses: { 200: z.looseObject({ openapi: z.string() }) },
  failures: [],
} as const;

/** Mounts the OpenAPI document of all routes, including those mounted later. It is generated once. */
export function mountDocument(context: RouteContext, sessionCookie: string): void {
  let document: string | undefined;
  mountRoute(context, ROUTE, () => {
    document ??= openApiDocument(context, sessionCookie);
    return new Response(document, { headers: HEADERS });
  });
}
