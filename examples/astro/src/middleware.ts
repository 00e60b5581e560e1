import { defineMiddleware } from 'astro:middleware';
import { earlyAccess } from './server/early-access';

/** Replaces the origin check that is off in `astro.config.mjs`. early-access-server checks its own pages. */
export const onRequest = defineMiddleware(async ({ request, url, isPrerendered }, next) => {
  if (isPrerendered || ['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return next();
  if (request.headers.get('origin') === url.origin || (await earlyAccess()).handles(url.pathname)) return next();
  return new Response(null, { status: 403 });
});
