import type { RateLimitUse } from '../ports/rate-limiter.ts';
import { CALLER_FACTOR, type ClientNetwork, PROXY_FACTOR } from './client-networks.ts';

/** How often something may happen: `burst` at once, and `perMinute` in the long run. */
export interface RateLimit {
  readonly burst: number;
  readonly perMinute: number;
}

const WRONG_ADMINS = { burst: 10, perMinute: 1 };
const SIGN_INS = { burst: 10, perMinute: 10 };
/**
 * Some 5,000 sessions with their updates. Of all clients together three times what one caller can use up, and 660 MB.
 */
const SESSION_BYTES = 20_000_000;
/**
 * Limits of all clients together are more than twice what one caller can use up: on Firebase as an IPv4 and as an IPv6
 * client.
 */
const OF_ALL = 5 * PROXY_FACTOR;

/**
 * The limits of each client, and of each mailbox of a signup. A client is often a household or an office behind one
 * address; an IPv6 /48 gets more, see `clientNetworks`.
 */
export const DEFAULT_RATE_LIMITS = {
  signups: { burst: 60, perMinute: 30 },
  welcomeEmails: { burst: 60, perMinute: 30 },
  signupForms: { burst: 20, perMinute: 10 },
  sessions: { burst: 300, perMinute: 300 },
  /**
   * Bytes of sessions, by client and from all clients together: a day's at once, and as many a day. They are not stored
   * for ever, so they bound what strangers can make a database grow by.
   */
  sessionBytes: perDay(SESSION_BYTES),
  allSessionBytes: perDay(SESSION_BYTES * 3 * CALLER_FACTOR),
  summaries: { burst: 30, perMinute: 30 },
  /** Wrong admin addresses, by client. */
  wrongAdmins: WRONG_ADMINS,
  /** Wrong admin addresses from all clients together. */
  allWrongAdmins: scaled(WRONG_ADMINS, OF_ALL),
  /** Signups that name one mailbox, from all clients together. */
  signupsPerMailbox: { burst: 60, perMinute: 6 },
  /**
   * Requests for the welcome email of one mailbox. Apart from its signups: otherwise they would keep the person from
   * signing up.
   */
  welcomeEmailsPerMailbox: { burst: 60, perMinute: 6 },
  /**
   * Requests for a sign-in link and attempts to use one, by client. They have a token again within a minute, so that no
   * one can keep the admins out for longer; so have `allSignIns` and `signInLinks`.
   */
  signIns: SIGN_INS,
  /** Requests for a sign-in link from all clients together. */
  allSignIns: scaled(SIGN_INS, OF_ALL),
  /** Sign-in links sent to one admin's mailbox, from all clients together. */
  signInLinks: { burst: 5, perMinute: 1 },
  /** Requests of the dashboard and with API keys, by client. */
  adminRequests: { burst: 600, perMinute: 600 },
  /** Test emails, from all admins together. */
  testMails: { burst: 5, perMinute: 1 },
  /** Attempts to confirm, by client. Tokens cannot be guessed; this bounds the look-ups. */
  confirmations: { burst: 60, perMinute: 30 },
  /** Requests for a new confirmation email, by client. */
  renewals: { burst: 10, perMinute: 2 },
  /** The same by link, from all clients together. */
  renewalsPerLink: { burst: 2, perMinute: 0.1 },
  /** Requests for a new link to an address, by client. */
  newLinks: { burst: 10, perMinute: 2 },
  /**
   * The same by mailbox, from all clients together: two a day, so that no one can use up all emails that a mailbox may
   * get.
   */
  newLinksPerMailbox: { burst: 2, perMinute: 1 / 720 },
  /** Unsubscribing, by client: a mail provider does it for many people. */
  unsubscriptions: { burst: 600, perMinute: 600 },
  /** Requests of status pages, by client. Tokens cannot be guessed; this bounds the look-ups. */
  statusPages: { burst: 60, perMinute: 30 },
  /** Emails to change an address, asked for on status pages: by the person, and by the new mailbox. */
  addressChanges: { burst: 3, perMinute: 0.05 },
  /** Requests for a challenge of the human check, by client. */
  humanChallenges: { burst: 120, perMinute: 60 },
  /** Calls of the host's back end that verify and redeem invitations. */
  invites: { burst: 3_000, perMinute: 3_000 },
  /** Such calls with a wrong key, by client. */
  wrongInviteKeys: { burst: 10, perMinute: 1 },
  /** Reports of mail providers, by client: a campaign causes many. */
  mailEvents: { burst: 3_000, perMinute: 3_000 },
  /** Such reports that are not genuine, or not known to be while their signature is checked, by client. */
  wrongMailEvents: { burst: 60, perMinute: 10 },
  /**
   * Reports with one token of Mailgun, which counts once: there is another one only after its signature has expired.
   */
  mailEventTokens: { burst: 1, perMinute: 1 / 1_200 },
  /** Requests with one API key, from all clients together. */
  apiKeyRequests: { burst: 600, perMinute: 600 },
  /** Requests with one API key that may change something. */
  apiKeyWrites: { burst: 120, perMinute: 60 },
  /** Requests with one link to the overview, from all clients together: some twenty open pages read it each minute. */
  overviewLinks: { burst: 120, perMinute: 60 },
  /** Requests with an API key that does not exist, by client. */
  wrongApiKeys: { burst: 10, perMinute: 1 },
};

/** A limit by each name that `DEFAULT_RATE_LIMITS` explains. */
export type RateLimits = { readonly [Name in keyof typeof DEFAULT_RATE_LIMITS]: RateLimit };

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

/** 0, or the whole seconds until there are enough tokens. */
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
 * Takes the tokens from each bucket, or none if one of them has too few. Returns the whole seconds until each has
 * enough, 0 if they were taken, and the parts with their buckets as they are now.
 */
export function takeTokens<Part extends BucketUse>(
  parts: readonly Part[],
  now: number,
): { readonly seconds: number; readonly left: readonly (Part & { readonly bucket: Bucket })[] } {
  // A bucket that never has a token lets nothing through.
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

/** When the bucket is full again, so that it can be deleted. */
export function computeFullTime({ tokens, at }: Bucket, { burst, perMinute }: RateLimit): number {
  return at + Math.ceil(((burst - tokens) * 60_000) / perMinute);
}
