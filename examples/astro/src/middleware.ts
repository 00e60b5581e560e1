import { defineMiddleware } from 'astro:middleware';
import { earlyAccess } from './server/early-access';

/** The check that `astro.config.mjs` turns off, for all pages except early-access-server's, which has its own. */
export const onRequest = defineMiddleware(async ({ request, url, isPrerendered }, next) => {
  if (isPrerendered || ['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return next();
  if (request.headers.get('origin') === url.origin || (await earlyAccess()).handles(url.pathname)) return next();
  return new Response(null, { status: 403 });
});
