import type { Role } from '../access/roles.ts';
import type { Awaitable } from './log.ts';

/** Someone whom an admin has invited to the dashboard. Times are epoch milliseconds. */
export interface Member {
  readonly id: string;
  /** Normalised. */
  readonly email: string;
  readonly role: Role;
  readonly invited_at: number;
  /** The address of the admin. */
  readonly invited_by: string;
  /** The first time. Null: never. */
  readonly signed_in_at: number | null;
}

/** The part of a store that keeps the invited people. The owners are not among them: they are a setting. */
export interface TeamStore {
  /** In the order of their invitations. */
  members(): Awaitable<readonly Member[]>;
  /** Reads the database each time, so that a change of a role counts at once in every process. */
  findMember(email: string): Awaitable<Member | null>;
  /**
   * Adds a member. Null: the address is one's already. Ends in the same transaction what the address may have from
   * before: sessions, sign-in links and passkeys.
   */
  invite(member: Pick<Member, 'email' | 'role' | 'invited_by'>): Promise<Member | null>;
  /** Returns the member with the new role; null if there is none. */
  changeRole(id: string, role: Role): Promise<Member | null>;
  /**
   * Deletes a member with their sessions, sign-in links, passkeys and settings, in one transaction. Returns the member, or null
   * if there was none.
   */
  removeMember(id: string): Promise<Member | null>;
  /** Stores the time unless the member has signed in before. */
  recordSignIn(email: string): Promise<void>;
}
