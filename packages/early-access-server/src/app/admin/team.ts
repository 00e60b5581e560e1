import { isAdmin } from '../access/admin-check.ts';
import type { Role } from '../access/roles.ts';
import type { AdminSession } from '../ports/admin-store.ts';
import type { TeamStore } from '../ports/team-store.ts';

/** What someone may do in the dashboard. */
export interface Access {
  readonly role: Role;
  /** Whether `ADMIN_EMAIL` names them: no one can remove them or change their role. */
  readonly isOwner: boolean;
}

/** The session of someone who may use the dashboard. */
export interface SignedIn extends AdminSession, Access {}

export const MAX_MEMBERS = 50;

export type Team = ReturnType<typeof dashboardTeam>;

/**
 * Who may use the dashboard: the owners, and the members whom they and other admins have invited. Each question reads
 * the store again.
 */
export function dashboardTeam(owners: readonly string[], store: Pick<TeamStore, 'findMember' | 'members'>) {
  const isOwner = (email: string) => isAdmin(email, owners);
  return {
    owners,
    isOwner,
    /** Null: the normalised address is no one's of the team. */
    async findAccess(email: string): Promise<Access | null> {
      if (isOwner(email)) return { role: 'admin', isOwner: true };
      const member = await store.findMember(email);
      return member && { role: member.role, isOwner: false };
    },
    /** The addresses of everyone, or of those with this role, each once. */
    async addresses(role?: Role): Promise<readonly string[]> {
      const members = (await store.members()).filter((member) => role === undefined || member.role === role);
      return [...new Set([...owners, ...members.map(({ email }) => email)])];
    },
  };
}

/** Whether the caller sees the session of this address in the list of sessions: their own, and admins all. */
export function maySeeSession({ email, role }: Pick<SignedIn, 'email' | 'role'>, of: string): boolean {
  return role === 'admin' || email === of;
}

/** Whether the caller may end the session of this address. An invited admin cannot keep the owner out. */
export function mayEndSession(caller: Pick<SignedIn, 'email' | 'role' | 'isOwner'>, of: string, isOwners: boolean) {
  return maySeeSession(caller, of) && (!isOwners || caller.isOwner);
}
