import { HOUR_MS, isValidEmail, MINUTE_MS, normalizeEmail, SECOND_MS, suggestDomain } from 'early-access-kit/internal';
import { ConfigError } from '../config-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { Dns } from '../ports/dns.ts';
import { describeError, type Log } from '../ports/log.ts';
import { findWebmail } from './webmail.ts';

/**
 * Why an address is rejected. `blocked`: by the admin's rules. `disposable`: a temporary mailbox. `misspelled`: a
 * temporary mailbox whose domain may be a typo of a known one. `personal`: not a business address. `undeliverable`: the
 * domain accepts no email.
 */
export type AddressProblem = 'blocked' | 'disposable' | 'misspelled' | 'personal' | 'undeliverable';

/** Texts for the log and for developers of clients. */
export const ADDRESS_PROBLEMS: Readonly<Record<AddressProblem, string>> = {
  blocked: 'the domain of the address is not accepted',
  disposable: 'the address is a temporary mailbox',
  misspelled: 'the domain of the address looks like a misspelled mail provider, and has temporary mailboxes',
  personal: 'the address is at a provider of personal mailboxes',
  undeliverable: 'the domain of the address receives no email',
};

/**
 * The admin's rules. A rule for a domain includes its subdomains; if two rules match, the one for the longer domain
 * applies.
 */
export interface AddressRules {
  /** Domains whose addresses are accepted regardless of other rules and DNS. Default: none. */
  readonly accept?: readonly string[] | undefined;
  /** Domains whose addresses are rejected. Default: none. */
  readonly block?: readonly string[] | undefined;
  /** Additional domains of temporary mailboxes that the built-in list lacks. Default: none. */
  readonly disposable?: readonly string[] | undefined;
  /** Rejects addresses at providers of personal mailboxes. Default: false. */
  readonly businessOnly?: boolean | undefined;
}

/** The domain lists, and the setting for each. */
const DOMAIN_LISTS = { accept: 'ACCEPT_DOMAINS', block: 'BLOCK_DOMAINS', disposable: 'DISPOSABLE_DOMAINS' } as const;
type DomainRule = keyof typeof DOMAIN_LISTS;
type DomainRules = ReadonlyMap<string, DomainRule>;

/** Returns the domain in the form in which addresses are stored, or null if it is invalid. */
export function parseDomain(text: string): string | null {
  const address = normalizeEmail(`a@${text}`);
  return isValidEmail(address) && !text.includes('@') ? address.slice('a@'.length) : null;
}

/** Returns the rule for each domain. Throws a `ConfigError` if two rules contradict each other, or one is useless. */
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

/** The built-in lists. */
interface KnownDomains {
  isDisposable(domain: string): boolean;
  isPersonal(domain: string): boolean;
}

/**
 * Decides about a normalized domain before DNS is queried. Null: no decision. The admin's rules come first; a domain on
 * no list is accepted.
 */
export function judgeDomain(
  domain: string,
  rules: DomainRules,
  known: KnownDomains,
): 'accepted' | Exclude<AddressProblem, 'undeliverable'> | null {
  const [own] = withParents(domain).flatMap((name) => rules.get(name) ?? []);
  if (own === 'accept') return 'accepted';
  if (own === 'block') return 'blocked';
  // Likely typos of well-known domains are registered to collect mail.
  if (own === 'disposable' || known.isDisposable(domain)) return suggestDomain(domain) ? 'misspelled' : 'disposable';
  return known.isPersonal(domain) ? 'personal' : null;
}

/** The domain and its parent domains, longest first. */
function withParents(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels.map((_, at) => labels.slice(at).join('.'));
}

/** Finds the problem of a normalized address, or null if there is no certain one. Never rejects. */
export type CheckAddress = (email: string) => Promise<AddressProblem | null>;

export interface AddressCheckOptions {
  readonly blockDisposable: boolean;
  readonly rules?: AddressRules | undefined;
  /** Null: domains are not looked up. */
  readonly dns: Dns | null;
  readonly onProblem?: (problem: AddressProblem) => void;
  readonly log: Log;
  readonly clock: Clock;
}

/** Short, because the visitor is waiting. */
const DEADLINE_MS = 3 * SECOND_MS;
/**
 * While this many lookups are in progress, other domains are accepted without one, so that a flood of signups does not
 * cause a flood of DNS queries.
 */
const MAX_LOOKUPS = 50;
const MAX_CACHED = 2_000;
/** A domain may be set up at any time, so rejections are cached only briefly. */
const CACHED_MS = { accepted: HOUR_MS, refused: 5 * MINUTE_MS };

/**
 * Rejects addresses that the admin's rules do not accept, temporary addresses, and addresses whose domain certainly
 * receives no email. Throws a `ConfigError` if the rules contradict each other.
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
      // Excludes subdomains: the list contains domains such as com.ar, below which companies have their own.
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

/** The lists are loaded on first use. */
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
 * Returns whether a domain may receive email. True if that cannot be determined in time, which is logged at most once
 * an hour.
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

/** Looks up a domain's mail servers as mail servers do (RFC 5321 section 5.1, RFC 7505). Rejects if a lookup fails. */
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
