import { isAdmin } from '../access/admin-check.ts';
import type { Role } from '../access/roles.ts';
import type { AdminSession } from '../ports/admin-store.ts';
import type { TeamStore } from '../ports/team-store.ts';

export interface Access {
  readonly role: Role;
  /** True if `ADMIN_EMAIL` contains the address. Owners cannot be removed or given another role. */
  readonly isOwner: boolean;
}

export interface SignedIn extends AdminSession, Access {}

export const MAX_MEMBERS = 50;

export type Team = ReturnType<typeof dashboardTeam>;

/** Everyone who may use the dashboard: the owners, and the members invited by admins. Every call reads the store. */
export function dashboardTeam(owners: readonly string[], store: Pick<TeamStore, 'findMember' | 'members'>) {
  const isOwner = (email: string) => isAdmin(email, owners);
  return {
    owners,
    isOwner,
    /** Returns null if the normalized address is not on the team. */
    async findAccess(email: string): Promise<Access | null> {
      if (isOwner(email)) return { role: 'admin', isOwner: true };
      const member = await store.findMember(email);
      return member && { role: member.role, isOwner: false };
    },
    /** The addresses of all team members, or of those with this role, each once. */
    async addresses(role?: Role): Promise<readonly string[]> {
      const members = (await store.members()).filter((member) => role === undefined || member.role === role);
      return [...new Set([...owners, ...members.map(({ email }) => email)])];
    },
  };
}

/** Returns whether the caller may see sessions of this address. Admins see all sessions, others their own. */
export function maySeeSession({ email, role }: Pick<SignedIn, 'email' | 'role'>, of: string): boolean {
  return role === 'admin' || email === of;
}

/** Returns whether the caller may end sessions of this address. Invited admins cannot end an owner's session. */
export function mayEndSession(caller: Pick<SignedIn, 'email' | 'role' | 'isOwner'>, of: string, isOwners: boolean) {
  return maySeeSession(caller, of) && (!isOwners || caller.isOwner);
}
