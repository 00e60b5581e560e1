import type { ApiKey, KeyScope, StoredKey } from '../access/api-keys.ts';
import type { AuditAction } from './admin-store.ts';
import type { Awaitable } from './log.ts';

/**
 * The part of a store for API keys, including the keys of overview links. Secrets are passed as SHA-256 hashes in
 * hexadecimal; secrets themselves are never stored.
 */
export interface ApiKeyStore {
  add<Scope extends KeyScope>(
    key: Pick<ApiKey<Scope>, 'name' | 'scopes'> & { readonly hash: string },
  ): Promise<ApiKey<Scope>>;
  /** Newest first. */
  list(): Awaitable<readonly StoredKey[]>;
  /** Reads the database on every call, so that a revoked key stops working at once in every process. */
  find(hash: string): Awaitable<StoredKey | null>;
  /**
   * Stores an audit entry and the time of the last use in one transaction. Returns false, and stores nothing, if the
   * key was revoked in the meantime. In that case the request must be rejected.
   */
  recordUse(hash: string, use: ApiKeyUse): Promise<boolean>;
  /** Deletes the key. Returns it, or null if it did not exist. */
  revoke(id: string): Promise<StoredKey | null>;
  /**
   * Claims an `Idempotency-Key` for a request, for `IDEMPOTENCY_MS`. Returns null to exactly one of several racing
   * callers; the others get the request that claimed it. If it is cheap, stores delete all but the newest 10,000 per
   * API key (or the store's option `auditEntries`).
   */
  claimRequest(claim: RequestClaim): Promise<ClaimedRequest | null>;
  /** Stores the response to a claimed request. Null deletes the claim, because nothing was done. */
  finishRequest(hash: string, response: string | null): Promise<void>;
}

/** All values are digests that only the owner of the API key can compute. */
export interface RequestClaim {
  /** The digest of the `Idempotency-Key`. */
  readonly hash: string;
  /** The SHA-256 of the API key. */
  readonly api_key: string;
  /** The digest of the request. */
  readonly request: string;
}

export interface ClaimedRequest {
  readonly request: string;
  /** Encrypted. Null: the request is in progress, or its process ended before it responded. */
  readonly response: string | null;
}

interface ApiKeyUse {
  /** `api-key-refused`: the key's scopes did not allow the request. */
  readonly action: Extract<AuditAction, 'api-key-used' | 'overview-link-used' | 'api-key-refused'>;
  /**
   * The method and the route's pattern, such as `GET /api/admin/people/:id`. A real path may contain an id, which the
   * audit must not store.
   */
  readonly route: string;
}
