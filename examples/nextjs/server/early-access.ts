import { createEarlyAccess, type EarlyAccess, optionsFromEnv } from 'early-access-server';

async function create(): Promise<EarlyAccess> {
  return createEarlyAccess(await optionsFromEnv(process.env));
}

declare global {
  var sharedEarlyAccess: Promise<EarlyAccess> | undefined;
}

/** One per process, although Next.js loads this file once per route and after each change. A build does not open the database. */
export function earlyAccess(): Promise<EarlyAccess> {
  globalThis.sharedEarlyAccess ??= create();
  return globalThis.sharedEarlyAccess;
}
