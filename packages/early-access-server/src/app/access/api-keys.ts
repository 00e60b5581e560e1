import { DAY_MS } from 'early-access-kit/internal';

/**
 * The rights that a key can have. None of them sends a campaign, erases anyone or changes the server, its admins or its
 * keys.
 */
export const API_SCOPES = [
  'analytics',
  'people',
  'people:add',
  'people:write',
  'invites',
  'campaigns:draft',
  'list',
  'redeem',
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/**
 * Every right that a stored key can have. `overview`: the figures of the overview. Only keys that are in a link to it
 * have that one, and no other.
 */
export const KEY_SCOPES = [...API_SCOPES, 'overview'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key for automation, without its secret. Times are epoch milliseconds. */
export interface ApiKey<Scope extends KeyScope = ApiScope> {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly created_at: number;
  /** Null: never. Requests that its scopes did not allow count, too. */
  readonly last_used_at: number | null;
}

/** A key of either kind, as it is stored. */
export type StoredKey = ApiKey<KeyScope>;

/** Whether the key is that of a link to the overview, which anyone who has the link can read without signing in. */
export function isOverviewLink({ scopes }: Pick<StoredKey, 'scopes'>): boolean {
  return scopes.includes('overview');
}

/** The keys for automation among the stored ones. */
export function listApiKeys(keys: readonly StoredKey[]): ApiKey[] {
  return keys.flatMap((key) =>
    isOverviewLink(key) ? [] : { ...key, scopes: API_SCOPES.filter((scope) => key.scopes.includes(scope)) },
  );
}

/** How long an `Idempotency-Key` is known. */
export const IDEMPOTENCY_MS = DAY_MS;

export const MAX_API_KEYS = 50;
export const MAX_OVERVIEW_LINKS = 20;
export const MAX_API_KEY_NAME = 80;
