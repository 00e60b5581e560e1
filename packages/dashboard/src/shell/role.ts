import { mayDo, type Need, type Role } from 'early-access-server/admin-api';
import { createContext, use } from 'react';

const RoleContext = createContext<Role>('viewer');
export const RoleProvider = RoleContext.Provider;

/**
 * Returns a function that returns whether the admin's role includes one of the needs; without arguments, whether they
 * have full rights. The server uses the same check.
 */
export function useMay(): (...needs: readonly Need[]) => boolean {
  const role = use(RoleContext);
  return (...needs) => mayDo(role, needs);
}
