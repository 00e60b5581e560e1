/** Tokens of the bucket that the named limit has for a key: a network, an email address, or `all`. */
export interface RateLimitUse<Name extends string> {
  readonly limit: Name;
  readonly key: string;
  /** How many times the limit the bucket gets; 1 by default. */
  readonly factor?: number;
  /** How many tokens it takes, at most all that a full bucket has; 1 by default. */
  readonly cost?: number;
}

/** Token buckets by limit and key. Each store of buckets implements it with `takeTokens`. */
export interface RateLimiter<Name extends string> {
  /**
   * Takes all tokens or none. Rejects with a `StorageError` `rate-limited` and the seconds to wait if one of the
   * buckets has too few.
   */
  take(uses: readonly RateLimitUse<Name>[]): Promise<void>;
  /** Returns tokens that were taken. */
  giveBack(uses: readonly RateLimitUse<Name>[]): Promise<void>;
}
