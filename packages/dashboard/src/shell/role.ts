import { mayDo, type Need, type Role } from 'early-access-server/admin-api';
import { createContext, use } from 'react';

const RoleContext = createContext<Role>('viewer');
export const RoleProvider = RoleContext.Provider;

/**
 * Returns whether the role of the signed-in person includes one of the needs; without any, whether they are an admin. The
 * server decides with the same function.
 */
export function useMay(): (...needs: readonly Need[]) => boolean {
  const role = use(RoleContext);
  return (...needs) => mayDo(role, needs);
}
