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

/** When it is as full as one that nobody has used, so that it can be forgotten. */
export function fullAt({ tokens, at }: Bucket, { burst, perMinute }: Budget): number {
  return at + Math.ceil(((burst - tokens) * 60_000) / perMinute);
}
