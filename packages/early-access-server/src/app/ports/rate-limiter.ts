/** Tokens to take from a bucket of the named limit. The key is a network, an email address, or `all`. */
export interface RateLimitUse<Name extends string> {
  readonly limit: Name;
  readonly key: string;
  /** Multiplies the limit for this bucket. Default: 1. */
  readonly factor?: number;
  /** The number of tokens to take, at most a full bucket. Default: 1. */
  readonly cost?: number;
}

/** Token buckets by limit and key. Implementations use `takeTokens`. */
export interface RateLimiter<Name extends string> {
  /**
   * Takes all tokens or none. If a bucket has too few, rejects with a `StorageError` with code `rate-limited` and the
   * seconds to wait.
   */
  take(uses: readonly RateLimitUse<Name>[]): Promise<void>;
  giveBack(uses: readonly RateLimitUse<Name>[]): Promise<void>;
}
