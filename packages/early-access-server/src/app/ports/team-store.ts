import type { Role } from '../access/roles.ts';
import type { Awaitable } from './log.ts';

/** A person whom an admin has invited to the dashboard. Times are epoch milliseconds. */
export interface Member {
  readonly id: string;
  /** Normalized. */
  readonly email: string;
  readonly role: Role;
  readonly invited_at: number;
  /** The address of the admin who invited them. */
  readonly invited_by: string;
  /** When they first signed in. Null: never. */
  readonly signed_in_at: number | null;
}

/** The part of a store for team members. Owners are not included, because they are configured with a setting. */
export interface TeamStore {
  /** In order of invitation. */
  members(): Awaitable<readonly Member[]>;
  /** Reads the database on every call, so that a changed role takes effect at once in every process. */
  findMember(email: string): Awaitable<Member | null>;
  /**
   * Adds a member. Null: the address already is a member. In the same transaction, deletes everything the address had
   * before: sessions, sign-in links and passkeys.
   */
  invite(member: Pick<Member, 'email' | 'role' | 'invited_by'>): Promise<Member | null>;
  /** Returns the member with the new role, or null if there is none. */
  changeRole(id: string, role: Role): Promise<Member | null>;
  /**
   * Deletes a member with their sessions, sign-in links, passkeys and settings, in one transaction. Returns the member,
   * or null if there was none.
   */
  removeMember(id: string): Promise<Member | null>;
  /** Stores the time unless the member has signed in before. */
  recordSignIn(email: string): Promise<void>;
}
