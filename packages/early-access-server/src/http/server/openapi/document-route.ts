import { DEFAULT_BASE } from 'early-access-kit/core';
import type { Hono } from 'hono';
import * as z from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { AppEnv, RouteContext } from '../request-context.ts';
import { PLAIN_HEADERS } from '../security-headers.ts';
import { openApiDocument } from './document.ts';

const DOCUMENT = z.looseObject({ openapi: z.string() });
const HEADERS = { ...PLAIN_HEADERS, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' };

/** Mounts the OpenAPI document of all routes that were described so far and will be. It is made once. */
export function mountDocument(
  app: Hono<AppEnv>,
  { describe, routes, publicUrl }: RouteContext,
  sessionCookie: string,
): void {
  let document: string | undefined;
  const path = `${DEFAULT_BASE}/openapi.json`;
  describe({
    method: 'get',
    path,
    access: 'public',
    summary: 'This document.',
    responses: { 200: DOCUMENT },
    failures: [],
  });
  app.get(path, () => {
    document ??= openApiDocument(routes, {
      version: packageJson.version,
      url: publicUrl?.origin ?? '/',
      sessionCookie,
    });
    return new Response(document, { headers: HEADERS });
  });
}
