import type { AuditAction } from '../admin/admin-store.ts';
import type { Awaitable } from '../ports.ts';

/** What a key may do: read figures without people, read people, or verify and redeem invitations. No key may write anything else. */
export const API_SCOPES = ['analytics', 'people', 'redeem'] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** A key for automation, without its secret. Times are epoch milliseconds. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  readonly created_at: number;
  /** Null: never. Requests that its scopes did not allow count, too. */
  readonly last_used_at: number | null;
}

export const MAX_API_KEYS = 50;
export const MAX_API_KEY_NAME = 80;

/** The part of a store that keeps API keys. Secrets arrive hashed (SHA-256, hexadecimal); no secret is ever stored. */
export interface ApiKeyStore {
  add(key: Pick<ApiKey, 'name' | 'scopes'> & { readonly hash: string }): Promise<ApiKey>;
  /** The newest first. */
  list(): Awaitable<readonly ApiKey[]>;
  /** Reads the database each time, so that a revoked key stops at once in every process. */
  find(hash: string): Awaitable<ApiKey | null>;
  /**
   * Stores an entry of the audit and when the key was last used, in one transaction. False, and nothing is stored, if the key was revoked
   * meanwhile: then it must not be served.
   */
  recordUse(hash: string, use: ApiKeyUse): Promise<boolean>;
  /** Deletes the key. Returns it, or null if there was none. */
  revoke(id: string): Promise<ApiKey | null>;
}

export interface ApiKeyUse {
  /** `api-key-refused`: its scopes did not allow the request. */
  readonly action: Extract<AuditAction, 'api-key-used' | 'api-key-refused'>;
  /** The method and the route's pattern, such as `GET /api/admin/people/:id`: a path can contain an id, which the audit must not store. */
  readonly route: string;
}
