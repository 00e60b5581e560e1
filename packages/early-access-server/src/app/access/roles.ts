import type { ApiScope } from './api-keys.ts';

/** The roles of people who sign in to the dashboard, each with the rights of those before it. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What a route needs: a right that API keys can have too, or one of roles alone. `account`: the caller's own session and
 * settings. `export`: the list as a file.
 */
export type Need = ApiScope | 'account' | 'export';

const RIGHTS: Readonly<Record<Exclude<Role, 'admin'>, readonly Need[]>> = {
  viewer: ['account', 'analytics'],
  editor: ['account', 'analytics', 'people', 'campaigns:draft'],
};

/** Whether the role includes one of the needs. Only admins may do what names none. */
export function mayDo(role: Role, needs: readonly Need[]): boolean {
  return role === 'admin' || needs.some((need) => RIGHTS[role].includes(need));
}

/** Whether what the role reads may contain addresses of others. */
export function maySeeAddresses(role: Role): boolean {
  return mayDo(role, ['people']);
}

/** Says who may do it, for someone who may not. */
export function describeRefusal(role: Role, needs: readonly Need[]): string {
  const allowed = ROLES.filter((other) => mayDo(other, needs)).map((other) => `${other}s`);
  return `only ${new Intl.ListFormat('en').format(allowed)} may do this, and your role is ${role}`;
}
