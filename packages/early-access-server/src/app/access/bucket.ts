/** How often something may happen: `burst` at once, and `perMinute` in the long run. */
export interface Budget {
  readonly burst: number;
  readonly perMinute: number;
}

/** A token bucket as it was left at `at`, in epoch milliseconds. */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** The bucket now; one that nobody has used is full. A clock that went back refills nothing. */
export function refilled(bucket: Bucket | null, { burst, perMinute }: Budget, now: number): Bucket {
  if (bucket === null) return { tokens: burst, at: now };
  const gained = (Math.max(0, now - bucket.at) * perMinute) / 60_000;
  return { tokens: Math.min(burst, bucket.tokens + gained), at: now };
}

/** 0, or the whole seconds after which there is a token. */
export function secondsUntilToken({ tokens }: Bucket, { perMinute }: Budget): number {
  return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 60) / perMinute);
}

/** The limit `factor` times as large. */
export function scaled({ burst, perMinute }: Budget, factor: number): Budget {
  return { burst: burst * factor, perMinute: perMinute * factor };
}

/**
 * Takes one token from each bucket, or none if one of them is empty. Returns the whole seconds until each has a token, 0 if they were
 * taken, and the parts with their buckets as they are now.
 */
export function takeTokens<Part extends { readonly bucket: Bucket | null; readonly budget: Budget }>(
  parts: readonly Part[],
  now: number,
): { readonly seconds: number; readonly left: readonly (Part & { readonly bucket: Bucket })[] } {
  const current = parts.map((part) => ({ ...part, bucket: refilled(part.bucket, part.budget, now) }));
  const seconds = Math.max(0, ...current.map(({ bucket, budget }) => secondsUntilToken(bucket, budget)));
  const cost = seconds > 0 ? 0 : 1;
  const left = current.map((part) => ({ ...part, bucket: { ...part.bucket, tokens: part.bucket.tokens - cost } }));
  return { seconds, left };
}

/** When it is as full as one that nobody has used, so that it can be forgotten. */
export function fullAt({ tokens, at }: Bucket, { burst, perMinute }: Budget): number {
  return at + Math.ceil(((burst - tokens) * 60_000) / perMinute);
}
