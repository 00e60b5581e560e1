import { createEarlyAccess, type EarlyAccess, optionsFromEnv } from 'early-access-server';

async function create(): Promise<EarlyAccess> {
  return createEarlyAccess(await optionsFromEnv(process.env));
}

declare global {
  var sharedEarlyAccess: Promise<EarlyAccess> | undefined;
}

/** One instance per process: Next.js loads this file for each route, and again after each change. A build opens nothing. */
export function earlyAccess(): Promise<EarlyAccess> {
  globalThis.sharedEarlyAccess ??= create();
  return globalThis.sharedEarlyAccess;
}
