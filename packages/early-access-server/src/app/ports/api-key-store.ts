import type { ApiKey, KeyScope, StoredKey } from '../access/api-keys.ts';
import type { AuditAction } from './admin-store.ts';
import type { Awaitable } from './log.ts';

/** The part of a store that keeps API keys, and the keys of links to the overview. Secrets arrive hashed (SHA-256, hexadecimal); no secret is ever stored. */
export interface ApiKeyStore {
  add<Scope extends KeyScope>(
    key: Pick<ApiKey<Scope>, 'name' | 'scopes'> & { readonly hash: string },
  ): Promise<ApiKey<Scope>>;
  /** The newest first. */
  list(): Awaitable<readonly StoredKey[]>;
  /** Reads the database each time, so that a revoked key stops at once in every process. */
  find(hash: string): Awaitable<StoredKey | null>;
  /**
   * Stores an entry of the audit and when the key was last used, in one transaction. False, and nothing is stored, if
   * the key was revoked meanwhile: then it must not be served.
   */
  recordUse(hash: string, use: ApiKeyUse): Promise<boolean>;
  /** Deletes the key. Returns it, or null if there was none. */
  revoke(id: string): Promise<StoredKey | null>;
  /**
   * Claims an `Idempotency-Key` for a request, for `IDEMPOTENCY_MS`. Null: exactly one of racing callers has claimed
   * it. Otherwise the request that has it. Stores that can do it cheaply keep the newest 10,000 of an API key, or as
   * many as their option `auditEntries` says.
   */
  claimRequest(claim: RequestClaim): Promise<ClaimedRequest | null>;
  /** Stores the response of a claimed request. Null: nothing was done, so the claim is deleted. */
  finishRequest(hash: string, response: string | null): Promise<void>;
}

/** Every text is a digest that only the API key itself can make. */
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
  /** Encrypted. Null: it is in progress, or its process ended before it responded. */
  readonly response: string | null;
}

interface ApiKeyUse {
  /** `api-key-refused`: its scopes did not allow the request. */
  readonly action: Extract<AuditAction, 'api-key-used' | 'overview-link-used' | 'api-key-refused'>;
  /**
   * The method and the route's pattern, such as `GET /api/admin/people/:id`: a path can contain an id, which the audit
   * must not store.
   */
  readonly route: string;
}
