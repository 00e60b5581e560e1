import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Dns } from '../ports/dns.ts';
import { addressCheck } from './address-check.ts';

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
    expect(resolve).toHaveBeenCalledTimes(3);
    vi.advanceTimersByTime(55 * 60_000);
    await check('a.example');
    expect(resolve).toHaveBeenCalledTimes(4);
  });

  it('is not looked up while 50 others are', async () => {
    const domains = Array.from({ length: 60 }, (_, at) => `${at}.example`);
    const { check, resolve } = setUp(Object.fromEntries(domains.map((domain) => [domain, 'never'])));
    const waiting = domains.map(check);
    await Promise.all(waiting.slice(50));
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
