import { fc } from '@early-access-kit/testkit/fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../config-error.ts';
import type { Dns } from '../ports/dns.ts';
import { type AddressRules, addressCheck, judgeDomain, readDomainRules } from './address-check.ts';

type Answers = Readonly<Record<string, readonly string[] | null | 'fails' | 'never'>>;

/** A domain that is not in `answers` does not exist. */
function setUp(answers: Answers, blockDisposable = false) {
  const resolve = vi.fn<Dns['resolve']>(async (domain, type) => {
    const answer = answers[`${domain} ${type}`] ?? answers[domain] ?? null;
    if (answer === 'fails') throw new Error('queryMx ESERVFAIL');
    if (answer === 'never') return new Promise(() => {});
    return answer;
  });
  const log = vi.fn();
  const check = addressCheck({ blockDisposable, dns: { resolve }, log, clock: Date.now });
  return { resolve, log, check: (domain: string) => check(`ada@${domain}`) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a domain', () => {
  it.each<[string, Answers, string | null]>([
    ['with a mail server', { 'a.example MX': ['mx.a.example'] }, null],
    ['that does not exist', {}, 'undeliverable'],
    ['with a null MX', { 'a.example MX': [''] }, 'undeliverable'],
    ['with a null MX beside a mail server', { 'a.example MX': ['', 'mx.a.example'] }, null],
    ['with an address only', { 'a.example MX': [], 'a.example A': ['192.0.2.1'], 'a.example AAAA': [] }, null],
    ['with an IPv6 address only', { 'a.example MX': [], 'a.example A': [], 'a.example AAAA': ['2001:db8::1'] }, null],
    ['with neither', { 'a.example MX': [], 'a.example A': [], 'a.example AAAA': [] }, 'undeliverable'],
    ['whose mail servers cannot be found out', { 'a.example MX': 'fails' }, null],
    ['whose addresses cannot be found out', { 'a.example MX': [], 'a.example A': 'fails', 'a.example AAAA': [] }, null],
  ])('%s', async (_, answers, problem) => {
    expect(await setUp(answers).check('a.example')).toBe(problem);
  });

  it('is accepted if DNS does not respond in time, which is logged once an hour', async () => {
    const { check, log } = setUp({ 'a.example': 'never', 'b.example': 'never' });
    for (const domain of ['a.example', 'b.example']) {
      const checked = check(domain);
      await vi.advanceTimersByTimeAsync(3_000);
      expect(await checked).toBeNull();
    }
    expect(log.mock.calls).toEqual([['warn', 'domain-not-checked', { reason: 'DNS did not respond in time' }]]);
  });

  it('is looked up once for signups at the same time, and again after an hour, or five minutes if it is refused', async () => {
    const { check, resolve } = setUp({ 'a.example MX': ['mx.a.example'] });
    await Promise.all([check('a.example'), check('a.example'), check('b.example')]);
    expect(resolve).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(5 * 60_000);
    await Promise.all([check('a.example'), check('b.example')]);
    expect(resolve.mock.calls.slice(2)).toEqual([['b.example', 'MX']]);
    vi.advanceTimersByTime(55 * 60_000);
    await check('a.example');
    expect(resolve.mock.calls.slice(3)).toEqual([['a.example', 'MX']]);
  });

  it('is accepted without being looked up while 50 others are', async () => {
    const domains = Array.from({ length: 60 }, (_, at) => `${at}.example`);
    const { check, resolve } = setUp(Object.fromEntries(domains.map((domain) => [domain, 'never'])));
    const waiting = domains.map(check);
    expect(await Promise.all(waiting.slice(50))).toEqual(Array.from({ length: 10 }, () => null));
    expect(resolve).toHaveBeenCalledTimes(50);
  });
});

describe('disposable addresses', () => {
  it.each([
    ['mailinator.com', 'disposable'],
    ['inbox.mailinator.com', 'disposable'],
    ['gmial.com', 'misspelled'],
    ['notmailinator.example', null],
    ['gmail.com', null],
    ['duck.com', null],
  ])('%s: %s', async (domain, problem) => {
    const check = addressCheck({ blockDisposable: true, dns: null, log: vi.fn(), clock: Date.now });
    expect(await check(`ada@${domain}`)).toBe(problem);
  });

  it('are accepted unless the setting is on', async () => {
    expect(await setUp({ 'mailinator.com MX': ['mx.example'] }).check('mailinator.com')).toBeNull();
  });
});

describe('the rules of the admin', () => {
  const RULES: AddressRules = {
    accept: ['mailinator.com', 'Büro.example', 'mail.blocked.example'],
    block: ['blocked.example', 'x.büro.example'],
    disposable: ['burner.example'],
    businessOnly: true,
  };
  const dns: Dns = { resolve: async () => null };
  const ruled = addressCheck({ blockDisposable: true, rules: RULES, dns, log: vi.fn(), clock: Date.now });

  it.each([
    ['mailinator.com', null],
    ['inbox.mailinator.com', null],
    ['xn--bro-hoa.example', null],
    ['blocked.example', 'blocked'],
    ['a.b.blocked.example', 'blocked'],
    ['notblocked.example', 'undeliverable'],
    ['mail.blocked.example', null],
    ['x.xn--bro-hoa.example', 'blocked'],
    ['burner.example', 'disposable'],
    ['a.burner.example', 'disposable'],
    ['gmail.com', 'personal'],
    ['gmx.ch', 'personal'],
    ['hotmail.fr', 'personal'],
    // The npm package lacks these.
    ['tuta.com', 'personal'],
    ['tutanota.de', 'personal'],
    ['posteo.de', 'personal'],
    ['acme.com.ar', 'undeliverable'],
  ])('%s: %s', async (domain, problem) => {
    expect(await ruled(`ada@${domain}`)).toBe(problem);
  });

  it.each<[AddressRules, boolean, string]>([
    [{ accept: ['a.example'], block: ['A.example'] }, false, 'a.example is in ACCEPT_DOMAINS and in BLOCK_DOMAINS'],
    [{ accept: ['a.example'], disposable: ['a.example'] }, true, 'in ACCEPT_DOMAINS and in DISPOSABLE_DOMAINS'],
    [{ disposable: ['a.example'] }, false, 'DISPOSABLE_DOMAINS requires BLOCK_DISPOSABLE=on'],
    [
      { block: ['a.example', 'b.example', 'a.example', '*.example'] },
      false,
      'BLOCK_DOMAINS must list domains, not "*.example"',
    ],
    [{ block: ['ada@a.example'] }, false, 'BLOCK_DOMAINS must list domains'],
  ])('that contradict each other stop the start: %j', (rules, blockDisposable, message) => {
    const start = () => addressCheck({ blockDisposable, rules, dns: null, log: vi.fn(), clock: Date.now });
    expect(start).toThrow(ConfigError);
    expect(start).toThrow(message);
  });

  const label = fc.constantFrom('a', 'b', 'c');
  const domain = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => `${labels.join('.')}.example`);
  const lists = fc.uniqueArray(domain, { maxLength: 9 }).map((all) => ({
    accept: all.filter((_, at) => at % 3 === 0),
    block: all.filter((_, at) => at % 3 === 1),
    disposable: all.filter((_, at) => at % 3 === 2),
  }));
  const isUnder = (domain: string) => (other: string) => domain === other || domain.endsWith(`.${other}`);

  it('the longest domain that a rule names decides, and without one the built-in lists do', () => {
    fc.assert(
      fc.property(domain, lists, fc.boolean(), fc.boolean(), (domain, rules, isDisposable, isPersonal) => {
        const verdict = judgeDomain(domain, readDomainRules(rules, true), {
          isDisposable: () => isDisposable,
          isPersonal: () => isPersonal,
        });
        const [own] = Object.values(rules)
          .flat()
          .filter(isUnder(domain))
          .sort((a, b) => b.length - a.length);
        const known = isDisposable ? 'disposable' : isPersonal ? 'personal' : null;
        if (own === undefined) expect(verdict).toBe(known);
        else if (rules.accept.includes(own)) expect(verdict).toBe('accepted');
        else expect(verdict).toBe(rules.block.includes(own) ? 'blocked' : 'disposable');
      }),
    );
  });
});
