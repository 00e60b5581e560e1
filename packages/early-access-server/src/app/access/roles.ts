import type { ApiScope } from './api-keys.ts';

/** Dashboard roles. Each includes the rights of those before it. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What a route requires: an API key scope, or a right that only roles have. `account`: the caller's own session and
 * settings. `export`: the list as a file.
 */
export type Need = ApiScope | 'account' | 'export';

const RIGHTS: Readonly<Record<Exclude<Role, 'admin'>, readonly Need[]>> = {
  viewer: ['account', 'analytics'],
  editor: ['account', 'analytics', 'people', 'campaigns:draft'],
};

/** Returns whether the role includes one of the needs. Without needs, only admins are allowed. */
export function mayDo(role: Role, needs: readonly Need[]): boolean {
  return role === 'admin' || needs.some((need) => RIGHTS[role].includes(need));
}

/** Returns whether responses to this role may contain other people's addresses. */
export function maySeeAddresses(role: Role): boolean {
  return mayDo(role, ['people']);
}

/** The error message for a caller without the right: it says which roles have it. */
export function describeRefusal(role: Role, needs: readonly Need[]): string {
  const allowed = ROLES.filter((other) => mayDo(other, needs)).map((other) => `${other}s`);
  return `only ${new Intl.ListFormat('en').format(allowed)} may do this, and your role is ${role}`;
}
