import { HOUR_MS, isValidEmail, MINUTE_MS, normalizeEmail, SECOND_MS, suggestDomain } from 'early-access-kit/internal';
import { ConfigError } from '../config-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Dns } from '../ports/dns.ts';
import { describeError, type Log } from '../ports/log.ts';
import { findWebmail } from './webmail.ts';

/**
 * Why an address is refused: the admin does not accept its domain, it is a temporary one, whose domain may be a known
 * one with a typo, it is a personal one, or its domain receives no email.
 */
export type AddressProblem = 'blocked' | 'disposable' | 'misspelled' | 'personal' | 'undeliverable';

/** Each in words, for the log and for people who write clients. */
export const ADDRESS_PROBLEMS: Readonly<Record<AddressProblem, string>> = {
  blocked: 'the domain of the address is not accepted',
  disposable: 'the address is one of a temporary mailbox',
  misspelled: 'the domain of the address is nearly that of a mail provider, and one of temporary mailboxes',
  personal: 'the domain of the address belongs to a provider of personal mailboxes',
  undeliverable: 'the domain of the address receives no email',
};

/**
 * The admin's own rules. Each domain is meant with its subdomains, and of two rules the one for the longer domain
 * counts.
 */
export interface AddressRules {
  /** Domains whose addresses are accepted, whatever other rules and DNS say. None by default. */
  readonly accept?: readonly string[] | undefined;
  /** Domains whose addresses are refused. None by default. */
  readonly block?: readonly string[] | undefined;
  /** Domains of temporary mailboxes that the built-in list lacks. None by default. */
  readonly disposable?: readonly string[] | undefined;
  /** Whether addresses at providers of personal mailboxes are refused. False by default. */
  readonly businessOnly?: boolean | undefined;
}

/** The lists of domains, and the setting of each. */
const DOMAIN_LISTS = { accept: 'ACCEPT_DOMAINS', block: 'BLOCK_DOMAINS', disposable: 'DISPOSABLE_DOMAINS' } as const;
type DomainRule = keyof typeof DOMAIN_LISTS;
type DomainRules = ReadonlyMap<string, DomainRule>;

/** The domain as addresses are stored with it; null if no address can have it. */
export function parseDomain(text: string): string | null {
  const address = normalizeEmail(`a@${text}`);
  return isValidEmail(address) && !text.includes('@') ? address.slice('a@'.length) : null;
}

/** Returns the rule of each domain. Throws a `ConfigError` if two rules contradict each other, or one has no effect. */
export function readDomainRules(rules: AddressRules, blockDisposable: boolean): DomainRules {
  const found = new Map<string, DomainRule>();
  for (const rule of ['accept', 'block', 'disposable'] as const) {
    for (const given of rules[rule] ?? []) {
      const domain = parseDomain(given);
      if (domain === null)
        throw new ConfigError(`${DOMAIN_LISTS[rule]} must list domains, not ${JSON.stringify(given)}`);
      const other = found.get(domain);
      if (other !== undefined && other !== rule) {
        throw new ConfigError(
          `${domain} is in ${DOMAIN_LISTS[other]} and in ${DOMAIN_LISTS[rule]}: remove it from one`,
        );
      }
      found.set(domain, rule);
    }
  }
  if (rules.disposable?.length && !blockDisposable) {
    throw new ConfigError(
      'DISPOSABLE_DOMAINS requires BLOCK_DISPOSABLE=on: it adds to the list of temporary mailboxes',
    );
  }
  return found;
}

/** What the built-in lists say about a domain. */
interface KnownDomains {
  isDisposable(domain: string): boolean;
  isPersonal(domain: string): boolean;
}

/**
 * What is decided about a normalised domain before DNS is asked. Null: nothing. The admin's own rules come first, and
 * a domain that no list knows is accepted.
 */
export function judgeDomain(
  domain: string,
  rules: DomainRules,
  known: KnownDomains,
): 'accepted' | Exclude<AddressProblem, 'undeliverable'> | null {
  const [own] = withParents(domain).flatMap((name) => rules.get(name) ?? []);
  if (own === 'accept') return 'accepted';
  if (own === 'block') return 'blocked';
  // Likely typos are registered to collect mail.
  if (own === 'disposable' || known.isDisposable(domain)) return suggestDomain(domain) ? 'misspelled' : 'disposable';
  return known.isPersonal(domain) ? 'personal' : null;
}

/** The domain and those above it, the longest first. */
function withParents(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

/** Finds the problem of a normalised address; null if there is none that is certain. Never rejects. */
export type CheckAddress = (email: string) => Promise<AddressProblem | null>;

export interface AddressCheckOptions {
  readonly blockDisposable: boolean;
  readonly rules?: AddressRules | undefined;
  /** Null: domains are not looked up. */
  readonly dns: Dns | null;
  /** Called for each address that is refused. */
  readonly onProblem?: (problem: AddressProblem) => void;
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

/**
 * Refuses addresses that the admin's rules do not accept, of temporary mailboxes, and of domains that certainly receive
 * no email. Throws a `ConfigError` if the rules contradict each other.
 */
export function addressCheck(options: AddressCheckOptions): CheckAddress {
  const { blockDisposable, rules = {}, dns, onProblem, log, clock } = options;
  const { businessOnly = false } = rules;
  const own = readDomainRules(rules, blockDisposable);
  const receives = dns && mailDomains({ dns, log, clock });
  async function findProblem(email: string): Promise<AddressProblem | null> {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    const [disposable, personal] = [
      blockDisposable && (await loadDisposable()),
      businessOnly && (await loadPersonal()),
    ];
    const verdict = judgeDomain(domain, own, {
      isDisposable: () => disposable && withParents(domain).some((name) => disposable.has(name)),
      // Not its subdomains: the list has domains that companies have subdomains of, such as com.ar.
      isPersonal: () => personal && (personal.has(domain) || findWebmail(email) !== undefined),
    });
    if (verdict !== null) return verdict === 'accepted' ? null : verdict;
    return receives === null || (await receives(domain)) ? null : 'undeliverable';
  }
  return async (email) => {
    const problem = await findProblem(email);
    if (problem !== null) onProblem?.(problem);
    return problem;
  };
}

/** The lists are only loaded if they are used. */
let disposableDomains: Promise<ReadonlySet<string>> | undefined;
let personalDomains: Promise<ReadonlySet<string>> | undefined;

function loadDisposable(): Promise<ReadonlySet<string>> {
  disposableDomains ??= import('disposable-email-domains-js').then((module) => module.disposableEmailBlocklistSet());
  return disposableDomains;
}

function loadPersonal(): Promise<ReadonlySet<string>> {
  personalDomains ??= import('email-providers/all.json', { with: { type: 'json' } }).then(
    (module) => new Set(module.default),
  );
  return personalDomains;
}

/**
 * Returns whether a domain may receive email. True if that is not known in time, which is logged at most once an hour.
 */
function mailDomains({ dns, log, clock }: { readonly dns: Dns; readonly log: Log; readonly clock: Clock }) {
  const cache = new Map<string, { readonly receives: boolean; readonly until: number }>();
  const running = new Map<string, Promise<boolean>>();
  let loggedAt = Number.NEGATIVE_INFINITY;

  async function lookUp(domain: string): Promise<boolean> {
    try {
      const receives = await withDeadline(DEADLINE_MS, receivesMail(domain, dns));
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

async function withDeadline<T>(ms: number, work: Promise<T>): Promise<T> {
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
