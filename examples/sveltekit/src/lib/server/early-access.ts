import { createEarlyAccess, type EarlyAccess, optionsFromEnv } from 'early-access-server';
import { dev } from '$app/environment';

async function create(): Promise<EarlyAccess> {
  // The built program listens on every address of the machine unless HOST says otherwise.
  const HOST = dev ? 'localhost' : '0.0.0.0';
  const created = createEarlyAccess(await optionsFromEnv({ HOST, ...process.env }));
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
