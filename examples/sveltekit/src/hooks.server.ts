import type { Handle, ServerInit } from '@sveltejs/kit';
import { building } from '$app/environment';
import { earlyAccess } from './lib/server/early-access';

export const init: ServerInit = async () => {
  if (!building) await earlyAccess();
};

export const handle: Handle = async ({ event, resolve }) => {
  const { request, url } = event;
  if (building) return resolve(event);
  const application = await earlyAccess();
  if (application.handles(url.pathname)) return application.fetch(request, { clientAddress: event.getClientAddress() });
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(request.method);
  return isRead || request.headers.get('origin') === url.origin ? resolve(event) : new Response(null, { status: 403 });
};
