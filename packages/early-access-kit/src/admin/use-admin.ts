import { useEarlyAccess } from '../provider.tsx';
import { type Admin, useAdminController } from './use-admin-controller.ts';

export type { Admin } from './use-admin-controller.ts';

/**
 * The overlay without its markup: the state machine, the stored address and the calls. It begins locked, on the server and while
 * hydrating too, and looks for a stored address after that. Opening it is up to the host; only `AdminOverlay` listens for keys.
 */
export function useAdmin(): Admin {
  return useAdminController(useEarlyAccess().adapter);
}
