import { createEarlyAccess, type EarlyAccess, optionsFromEnv } from 'early-access-server';

async function create(): Promise<EarlyAccess> {
  return createEarlyAccess(await optionsFromEnv(process.env));
}

declare global {
  var sharedEarlyAccess: Promise<EarlyAccess> | undefined;
}

/** One for the process: Next.js loads this file once for each route, and again after each change. Nothing is opened by a build. */
export function earlyAccess(): Promise<EarlyAccess> {
  globalThis.sharedEarlyAccess ??= create();
  return globalThis.sharedEarlyAccess;
}
