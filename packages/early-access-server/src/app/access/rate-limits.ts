import type { RateLimitUse } from '../ports/rate-limiter.ts';
import { CALLER_FACTOR, type ClientNetwork, PROXY_FACTOR } from './client-networks.ts';

/** A token bucket's size and refill rate: `burst` calls at once, `perMinute` in the long run. */
export interface RateLimit {
  readonly burst: number;
  readonly perMinute: number;
}

const WRONG_ADMINS = { burst: 10, perMinute: 1 };
const SIGN_INS = { burst: 10, perMinute: 10 };
/** About 5,000 sessions with updates. For all clients together it is 660 MB, three times what one caller can use up. */
const SESSION_BYTES = 20_000_000;
/**
 * Limits for all clients together are more than twice what one caller can use up. On Firebase, a caller can use IPv4
 * and IPv6.
 */
const OF_ALL = 5 * PROXY_FACTOR;

/**
 * Limits per client and per signup mailbox. A client is often a household or an office behind one address; an IPv6 /48
 * gets more, see `clientNetworks`.
 */
export const DEFAULT_RATE_LIMITS = {
  signups: { burst: 60, perMinute: 30 },
  welcomeEmails: { burst: 60, perMinute: 30 },
  signupForms: { burst: 20, perMinute: 10 },
  sessions: { burst: 300, perMinute: 300 },
  /**
   * Bytes of sessions, per client and for all clients together: one day's worth at once, and the same amount per day.
   * Sessions are deleted after a while, so this bounds the size of the database.
   */
  sessionBytes: perDay(SESSION_BYTES),
  allSessionBytes: perDay(SESSION_BYTES * 3 * CALLER_FACTOR),
  summaries: { burst: 30, perMinute: 30 },
  /** Wrong admin addresses, per client. */
  wrongAdmins: WRONG_ADMINS,
  /** Wrong admin addresses from all clients together. */
  allWrongAdmins: scaled(WRONG_ADMINS, OF_ALL),
  /** Signups for one mailbox, from all clients together. */
  signupsPerMailbox: { burst: 60, perMinute: 6 },
  /**
   * Requests for the welcome email of one mailbox. Separate from its signups, because these requests could otherwise
   * block the person's signup.
   */
  welcomeEmailsPerMailbox: { burst: 60, perMinute: 6 },
  /**
   * Requests for a sign-in link and attempts to use one, per client. A token is available again within a minute, so
   * that nobody can lock admins out for longer. The same applies to `allSignIns` and `signInLinks`.
   */
  signIns: SIGN_INS,
  /** Requests for a sign-in link from all clients together. */
  allSignIns: scaled(SIGN_INS, OF_ALL),
  /** Sign-in links sent to one admin's mailbox, from all clients together. */
  signInLinks: { burst: 5, perMinute: 1 },
  /** Requests from the dashboard and with API keys, per client. */
  adminRequests: { burst: 600, perMinute: 600 },
  /** Test emails, for all admins together. */
  testMails: { burst: 5, perMinute: 1 },
  /** Attempts to confirm, per client. Tokens cannot be guessed; the limit bounds lookups. */
  confirmations: { burst: 60, perMinute: 30 },
  /** Requests for a new confirmation email, per client. */
  renewals: { burst: 10, perMinute: 2 },
  /** Requests for a new confirmation email per link, from all clients together. */
  renewalsPerLink: { burst: 2, perMinute: 0.1 },
  /** Requests for a new link to an address, per client. */
  newLinks: { burst: 10, perMinute: 2 },
  /**
   * Requests for a new link per mailbox, from all clients together. Two a day, so that nobody can use up all emails
   * that a mailbox may receive.
   */
  newLinksPerMailbox: { burst: 2, perMinute: 1 / 720 },
  /** Unsubscribe requests, per client. A mail provider sends them for many people. */
  unsubscriptions: { burst: 600, perMinute: 600 },
  /** Requests for status pages, per client. Tokens cannot be guessed; the limit bounds lookups. */
  statusPages: { burst: 60, perMinute: 30 },
  /** Emails that confirm a change of address, requested on status pages: per person and per new mailbox. */
  addressChanges: { burst: 3, perMinute: 0.05 },
  /** Requests for a challenge of the human check, per client. */
  humanChallenges: { burst: 120, perMinute: 60 },
  /** Requests from the host's back end that verify and redeem invitations. */
  invites: { burst: 3_000, perMinute: 3_000 },
  /** Invitation requests with a wrong key, per client. */
  wrongInviteKeys: { burst: 10, perMinute: 1 },
  /** Reports from mail providers, per client. A campaign causes many. */
  mailEvents: { burst: 3_000, perMinute: 3_000 },
  /** Reports that are forged, or whose signature has not been verified yet, per client. */
  wrongMailEvents: { burst: 60, perMinute: 10 },
  /** Reports with the same Mailgun token: only one, because the limit refills after its signature has expired. */
  mailEventTokens: { burst: 1, perMinute: 1 / 1_200 },
  /** Requests with one API key, from all clients together. */
  apiKeyRequests: { burst: 600, perMinute: 600 },
  /** Requests with one API key that may change data. */
  apiKeyWrites: { burst: 120, perMinute: 60 },
  /** Requests with one overview link, from all clients together. About twenty open pages read it every minute. */
  overviewLinks: { burst: 120, perMinute: 60 },
  /** Requests with an unknown API key, per client. */
  wrongApiKeys: { burst: 10, perMinute: 1 },
};

/** One limit for each name in `DEFAULT_RATE_LIMITS`. */
export type RateLimits = { readonly [Name in keyof typeof DEFAULT_RATE_LIMITS]: RateLimit };

export function listUses<Name extends string>(
  limit: Name,
  client: readonly ClientNetwork[],
): readonly RateLimitUse<Name>[] {
  return client.map((network) => ({ limit, ...network }));
}

/** A token bucket's state at the time `at`, in epoch milliseconds. */
export interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** Returns the bucket's state now. An unused bucket is full. If the clock was set back, nothing is refilled. */
export function refilled(bucket: Bucket | null, { burst, perMinute }: RateLimit, now: number): Bucket {
  if (bucket === null) return { tokens: burst, at: now };
  const gained = (Math.max(0, now - bucket.at) * perMinute) / 60_000;
  return { tokens: Math.min(burst, bucket.tokens + gained), at: now };
}

/** Returns 0, or the whole seconds until there are enough tokens. */
export function secondsUntilTokens({ tokens }: Bucket, { perMinute }: RateLimit, cost = 1): number {
  return tokens >= cost ? 0 : Math.ceil(((cost - tokens) * 60) / perMinute);
}

function perDay(amount: number): RateLimit {
  return { burst: amount, perMinute: amount / (24 * 60) };
}

export function scaled({ burst, perMinute }: RateLimit, factor: number): RateLimit {
  return { burst: burst * factor, perMinute: perMinute * factor };
}

interface BucketUse {
  readonly bucket: Bucket | null;
  readonly limit: RateLimit;
  readonly cost?: number | undefined;
}

/**
 * Takes the tokens from every bucket, or from none if one has too few. Returns the whole seconds until all have enough
 * (0 if the tokens were taken), and the parts with the current state of their buckets.
 */
export function takeTokens<Part extends BucketUse>(
  parts: readonly Part[],
  now: number,
): { readonly seconds: number; readonly left: readonly (Part & { readonly bucket: Bucket })[] } {
  // At least one token is needed, so that an empty bucket never lets a call through.
  const readCost = ({ cost = 1, limit }: BucketUse) => Math.max(1, Math.min(cost, limit.burst));
  const current = parts.map((part) => ({ ...part, bucket: refilled(part.bucket, part.limit, now) }));
  const seconds = Math.max(0, ...current.map((part) => secondsUntilTokens(part.bucket, part.limit, readCost(part))));
  if (seconds > 0) return { seconds, left: current };
  const left = current.map((part) => ({
    ...part,
    bucket: { ...part.bucket, tokens: part.bucket.tokens - readCost(part) },
  }));
  return { seconds, left };
}

/** Returns when the bucket will be full again and can be deleted. */
export function computeFullTime({ tokens, at }: Bucket, { burst, perMinute }: RateLimit): number {
  return at + Math.ceil(((burst - tokens) * 60_000) / perMinute);
}
