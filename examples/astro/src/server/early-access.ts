import type { APIRoute } from 'astro';
import { createEarlyAccess, type EarlyAccess, optionsFromEnv } from 'early-access-server';

async function create(): Promise<EarlyAccess> {
  const created = createEarlyAccess(await optionsFromEnv(process.env));
  created.start();
  return created;
}

declare global {
  var sharedEarlyAccess: Promise<EarlyAccess> | undefined;
}

/** One instance per process, even after changes during development. A build opens nothing. */
export function earlyAccess(): Promise<EarlyAccess> {
  globalThis.sharedEarlyAccess ??= create();
  return globalThis.sharedEarlyAccess;
}

export const respond: APIRoute = async ({ request, clientAddress }) =>
  (await earlyAccess()).fetch(request, { clientAddress });
