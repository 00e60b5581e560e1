import { useEarlyAccess } from '../provider.tsx';
import { type Admin, useAdminController } from './use-admin-controller.ts';

export type { Admin } from './use-admin-controller.ts';

/**
 * The overlay without its markup: the state machine, the stored address and the calls. It starts locked, also on the server and during
 * hydration, and then looks for a stored address. The host must open it; only `AdminOverlay` listens for keys.
 */
export function useAdmin(): Admin {
  return useAdminController(useEarlyAccess().adapter);
}
