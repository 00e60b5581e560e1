import type { RateLimitUse } from '../ports/rate-limiter.ts';
import type { ClientNetwork } from './client-networks.ts';

/** How often something may happen: `burst` at once, and `perMinute` in the long run. */
export interface RateLimit {
  readonly burst: number;
  readonly perMinute: number;
}

/**
 * The limits of each client, and of each address of a signup. A client is often a household or an office behind one address; an IPv6 /48
 * gets more, see `clientNetworks`.
 */
export interface RateLimits {
  readonly signups: RateLimit;
  readonly welcomeEmails: RateLimit;
  readonly signupForms: RateLimit;
  readonly sessions: RateLimit;
  readonly summaries: RateLimit;
  /** Wrong admin addresses, by client. */
  readonly wrongAdmins: RateLimit;
  /** Wrong admin addresses from all clients together. */
  readonly allWrongAdmins: RateLimit;
  /** Signups that name one address, from all clients together. */
  readonly signupsPerAddress: RateLimit;
  /** Requests for the welcome email of one address. Apart from its signups: otherwise they would keep the person from signing up. */
  readonly welcomeEmailsPerAddress: RateLimit;
  /** Requests for a sign-in link and attempts to use one, by client. */
  readonly signIns: RateLimit;
  /** Requests for a sign-in link from all clients together. */
  readonly allSignIns: RateLimit;
  /** Sign-in links sent to one admin's mailbox, from all clients together. */
  readonly signInLinks: RateLimit;
  /** Requests of the dashboard, by client. */
  readonly adminRequests: RateLimit;
  /** Test emails, from all admins together. */
  readonly testMails: RateLimit;
  /** Attempts to confirm, by client. Tokens cannot be guessed; this bounds the look-ups. */
  readonly confirmations: RateLimit;
  /** Requests for a new confirmation email, by client. */
  readonly renewals: RateLimit;
  /** The same by link, from all clients together. */
  readonly renewalsPerLink: RateLimit;
  /** Unsubscribing, by client: a mail provider does it for many people. */
  readonly unsubscriptions: RateLimit;
  /** Requests for a challenge of the human check, by client. */
  readonly humanChallenges: RateLimit;
  /** Calls of the host's back end that verify and redeem invitations. */
  readonly invites: RateLimit;
  /** Such calls with a wrong key, by client. */
  readonly wrongInviteKeys: RateLimit;
  /** Requests with one API key, from all clients together. */
  readonly apiKeyRequests: RateLimit;
  /** Requests with an API key that does not exist, by client. */
  readonly wrongApiKeys: RateLimit;
}

export const UNLIMITED: RateLimit = { burst: 1e9, perMinute: 1e9 };

export const DEFAULT_RATE_LIMITS: RateLimits = {
  signups: { burst: 60, perMinute: 30 },
  welcomeEmails: { burst: 60, perMinute: 30 },
  signupForms: { burst: 20, perMinute: 10 },
  sessions: { burst: 300, perMinute: 300 },
  summaries: { burst: 30, perMinute: 30 },
  wrongAdmins: { burst: 10, perMinute: 1 },
  allWrongAdmins: { burst: 100, perMinute: 10 },
  signupsPerAddress: { burst: 60, perMinute: 6 },
  welcomeEmailsPerAddress: { burst: 60, perMinute: 6 },
  // Each has a token again within a minute, so that no one can keep the admins out for longer.
  signIns: { burst: 10, perMinute: 10 },
  allSignIns: { burst: 600, perMinute: 600 },
  signInLinks: { burst: 5, perMinute: 1 },
  adminRequests: { burst: 600, perMinute: 600 },
  testMails: { burst: 5, perMinute: 1 },
  confirmations: { burst: 60, perMinute: 30 },
  renewals: { burst: 10, perMinute: 2 },
  renewalsPerLink: { burst: 2, perMinute: 0.1 },
  unsubscriptions: { burst: 600, perMinute: 600 },
  humanChallenges: { burst: 120, perMinute: 60 },
  invites: { burst: 3_000, perMinute: 3_000 },
  wrongInviteKeys: { burst: 10, perMinute: 1 },
  apiKeyRequests: { burst: 600, perMinute: 600 },
  wrongApiKeys: { burst: 10, perMinute: 1 },
};

/** The tokens that one call of a client takes. */
export function listUses<Name extends string>(
  limit: Name,
  client: readonly ClientNetwork[],
): readonly RateLimitUse<Name>[] {
  return client.map((network) => ({ limit, ...network }));
}

/** A token bucket as it was left at `at`, in epoch milliseconds. */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** The bucket now; an unused one is full. A clock that was set back refills nothing. */
export function refilled(bucket: Bucket | null, { burst, perMinute }: RateLimit, now: number): Bucket {
  if (bucket === null) return { tokens: burst, at: now };
  const gained = (Math.max(0, now - bucket.at) * perMinute) / 60_000;
  return { tokens: Math.min(burst, bucket.tokens + gained), at: now };
}

/** 0, or the whole seconds after which there is a token. */
export function secondsUntilToken({ tokens }: Bucket, { perMinute }: RateLimit): number {
  return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 60) / perMinute);
}

/** The limit `factor` times as large. */
export function scaled({ burst, perMinute }: RateLimit, factor: number): RateLimit {
  return { burst: burst * factor, perMinute: perMinute * factor };
}

/**
 * Takes one token from each bucket, or none if one of them is empty. Returns the whole seconds until each has a token, 0 if they were
 * taken, and the parts with their buckets as they are now.
 */
export function takeTokens<Part extends { readonly bucket: Bucket | null; readonly limit: RateLimit }>(
  parts: readonly Part[],
  now: number,
): { readonly seconds: number; readonly left: readonly (Part & { readonly bucket: Bucket })[] } {
  const current = parts.map((part) => ({ ...part, bucket: refilled(part.bucket, part.limit, now) }));
  const seconds = Math.max(0, ...current.map(({ bucket, limit }) => secondsUntilToken(bucket, limit)));
  const cost = seconds > 0 ? 0 : 1;
  const left = current.map((part) => ({ ...part, bucket: { ...part.bucket, tokens: part.bucket.tokens - cost } }));
  return { seconds, left };
}

/** When the bucket is full again, so that it can be deleted. */
export function computeFullTime({ tokens, at }: Bucket, { burst, perMinute }: RateLimit): number {
  return at + Math.ceil(((burst - tokens) * 60_000) / perMinute);
}
