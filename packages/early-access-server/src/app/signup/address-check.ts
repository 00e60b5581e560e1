import { HOUR_MS, MINUTE_MS, SECOND_MS, suggestDomain } from 'early-access-kit/core';
import type { Clock } from '../ports/clock.ts';
import type { Dns } from '../ports/dns.ts';
import { describeError, type Log } from '../ports/log.ts';

/** Why an address is refused: it is a temporary one, whose domain may be a known one with a typo, or its domain receives no email. */
export type AddressProblem = 'disposable' | 'misspelled' | 'undeliverable';

/** Each in words, for the log and for people who write clients. */
export const ADDRESS_PROBLEMS: Readonly<Record<AddressProblem, string>> = {
  disposable: 'the address is one of a temporary mailbox',
  misspelled: 'the domain of the address is nearly that of a mail provider, and one of temporary mailboxes',
  undeliverable: 'the domain of the address receives no email',
};

/** Finds the problem of a normalised address; null if there is none that is certain. Never rejects. */
export type CheckAddress = (email: string) => Promise<AddressProblem | null>;

export interface AddressCheckOptions {
  readonly blockDisposable: boolean;
  /** Null: domains are not looked up. */
  readonly dns: Dns | null;
  readonly log: Log;
  readonly clock: Clock;
}

/** A visitor waits for it. */
const DEADLINE_MS = 3 * SECOND_MS;
/** Further domains are accepted without a look, so that a flood of signups does not become one of DNS queries. */
const MAX_LOOKUPS = 50;
const MAX_CACHED = 2_000;
/** A domain may be set up at any time, so a refusal is forgotten soon. */
const CACHED_MS = { accepted: HOUR_MS, refused: 5 * MINUTE_MS };

/** Refuses addresses of temporary mailboxes, and of domains that certainly receive no email. */
export function addressCheck({ blockDisposable, dns, log, clock }: AddressCheckOptions): CheckAddress {
  const receives = dns && mailDomains({ dns, log, clock });
  return async (email) => {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    // Likely typos are registered to collect mail.
    if (blockDisposable && (await isDisposable(domain))) return suggestDomain(domain) ? 'misspelled' : 'disposable';
    return receives === null || (await receives(domain)) ? null : 'undeliverable';
  };
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Whether the domain or one above it offers temporary mailboxes. The list is only loaded if it is used. */
async function isDisposable(domain: string): Promise<boolean> {
  list ??= import('disposable-email-domains-js').then((module) => module.disposableEmailBlocklistSet());
  const domains = await list;
  const labels = domain.split('.');
  return labels.some((_, at) => domains.has(labels.slice(at).join('.')));
}

/** Returns whether a domain may receive email. True if that is not known in time, which is logged at most once an hour. */
function mailDomains({ dns, log, clock }: { readonly dns: Dns; readonly log: Log; readonly clock: Clock }) {
  const cache = new Map<string, { readonly receives: boolean; readonly until: number }>();
  const running = new Map<string, Promise<boolean>>();
  let loggedAt = Number.NEGATIVE_INFINITY;

  async function lookUp(domain: string): Promise<boolean> {
    try {
      const receives = await within(DEADLINE_MS, receivesMail(domain, dns));
      const [oldest] = cache.keys();
      if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest);
      cache.set(domain, { receives, until: clock() + CACHED_MS[receives ? 'accepted' : 'refused'] });
      return receives;
    } catch (error) {
      if (clock() - loggedAt >= HOUR_MS) {
        loggedAt = clock();
        log('warn', 'domain-not-checked', { reason: describeError(error) });
      }
      return true;
    } finally {
      running.delete(domain);
    }
  }

  return async (domain: string): Promise<boolean> => {
    const known = cache.get(domain);
    if (known !== undefined && clock() < known.until) return known.receives;
    const current = running.get(domain);
    if (current !== undefined || running.size >= MAX_LOOKUPS) return current ?? true;
    const lookup = lookUp(domain);
    running.set(domain, lookup);
    return lookup;
  };
}

/** As mail servers find a domain's server (RFC 5321 section 5.1, RFC 7505). Rejects if an answer is missing. */
async function receivesMail(domain: string, dns: Dns): Promise<boolean> {
  const servers = await dns.resolve(domain, 'MX');
  if (servers === null) return false;
  if (servers.length > 0) return servers.some((name) => name !== '');
  const addresses = await Promise.all([dns.resolve(domain, 'A'), dns.resolve(domain, 'AAAA')]);
  return addresses.some((found) => found !== null && found.length > 0);
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, ms, new Error('DNS did not respond in time'));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
