import { DAY_MS } from 'early-access-kit/internal';

/**
 * The rights that an API key can have. None of them allows sending campaigns, erasing people or changing the server,
 * its admins or its keys.
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
 * Every right that a stored key can have. `overview` allows reading the figures of the overview. Only the keys in
 * overview links have it, and they have no other right.
 */
export const KEY_SCOPES = [...API_SCOPES, 'overview'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key for automation, without its secret. Times are epoch milliseconds. */
export interface ApiKey<Scope extends KeyScope = ApiScope> {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly created_at: number;
  /** Null: never. Requests that were rejected for lack of a scope count as well. */
  readonly last_used_at: number | null;
}

export type StoredKey = ApiKey<KeyScope>;

/** Returns whether the key belongs to an overview link. Anyone with the link can read the overview without sign-in. */
export function isOverviewLink({ scopes }: Pick<StoredKey, 'scopes'>): boolean {
  return scopes.includes('overview');
}

/** Filters the stored keys for API keys, which excludes overview links. */
export function listApiKeys(keys: readonly StoredKey[]): ApiKey[] {
  return keys.flatMap((key) =>
    isOverviewLink(key) ? [] : { ...key, scopes: API_SCOPES.filter((scope) => key.scopes.includes(scope)) },
  );
}

/** How long the response to an `Idempotency-Key` is stored. */
export const IDEMPOTENCY_MS = DAY_MS;

export const MAX_API_KEYS = 50;
export const MAX_OVERVIEW_LINKS = 20;
export const MAX_API_KEY_NAME = 80;
