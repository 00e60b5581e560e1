import { fc } from '@early-access-kit/testkit/fast-check';
import { DAY_MS, normalizeEmail } from 'early-access-kit/internal';
import { describe, expect, it } from 'vitest';
import { domainKey, mailboxKey, normalizeMailbox } from '../lifecycle/mailbox.ts';
import { computeQuota, findFreeTime, nextQuotaHour, quotaHour } from './mail-quota.ts';

const NOW = Date.UTC(2026, 2, 1, 14, 10);

it('findFreeTime schedules any number of messages with at most three in any 24 hours', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -2 * DAY_MS, max: 0 }), { maxLength: 3 }), fc.nat(20), (past, count) => {
      const times = past.map((ago) => NOW + ago);
      for (let message = 0; message < count; message += 1) {
        const latest = times.toSorted((a, b) => b - a).slice(0, 3);
        const at = findFreeTime(latest, NOW);
        expect(at).toBeGreaterThanOrEqual(NOW);
        expect(times.filter((time) => time > at - DAY_MS && time <= at).length).toBeLessThan(3);
        times.push(at);
      }
      expect(Math.max(NOW, ...times)).toBeLessThanOrEqual(NOW + Math.ceil((count + 1) / 3) * DAY_MS);
    }),
  );
});

it('campaigns leave a fifth of the quota to other messages', () => {
  expect([1, 4, 10, 200].map((quota) => computeQuota('campaign', quota))).toEqual([0, 3, 8, 160]);
  expect(computeQuota('welcome', 200)).toBe(200);
});

it('an hour starts on the hour and ends with the next', () => {
  expect(quotaHour(NOW)).toBe(Date.UTC(2026, 2, 1, 14));
  expect(quotaHour(quotaHour(NOW))).toBe(quotaHour(NOW));
  expect(quotaHour(nextQuotaHour(NOW) - 1)).toBe(quotaHour(NOW));
  expect(quotaHour(nextQuotaHour(NOW))).toBe(Date.UTC(2026, 2, 1, 15));
});

describe('normalizeMailbox', () => {
  it.each([
    ['ada@example.org', 'ada@example.org'],
    ['ada+news@example.org', 'ada@example.org'],
    ['ada+a+b@example.org', 'ada@example.org'],
    ['a.d.a@example.org', 'a.d.a@example.org'],
    ['+ada@example.org', '+ada@example.org'],
    ['+ada+news@example.org', '+ada@example.org'],
    ['a.d.a+news@gmail.com', 'ada@gmail.com'],
    ['a.d.a@googlemail.com', 'ada@gmail.com'],
    ['a.d.a@mail.gmail.com', 'a.d.a@mail.gmail.com'],
    ['münch+1@xn--bcher-kva.example', 'münch@xn--bcher-kva.example'],
  ])('%s delivers to %s', (email, mailbox) => expect(normalizeMailbox(email)).toBe(mailbox));

  it('ignores tags, case, and dots at Gmail', () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,9}$/);
    const tag = fc.stringMatching(/^[a-z0-9.+-]{0,9}$/);
    fc.assert(
      fc.property(name, tag, fc.nat(9), (local, suffix, dot) => {
        const spelling = `${local.slice(0, dot)}.${local.slice(dot)}+${suffix}@GoogleMail.com`;
        expect(mailboxKey(normalizeEmail(spelling))).toBe(mailboxKey(`${local}@gmail.com`));
        expect(normalizeMailbox(`${local}+${suffix}@example.org`)).toBe(`${local}@example.org`);
      }),
    );
  });
});

it('mailboxKey does not contain the address', () => {
  expect(mailboxKey('ada+news@example.org')).toMatch(/^[0-9a-f]{64}$/);
  expect(mailboxKey('ada@example.org')).not.toBe(mailboxKey('bob@example.org'));
});

it('tells domains apart, and not which one it is', () => {
  const keys = ['ada@example.org', 'bob@example.org', 'ada@example.net'].map(domainKey);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[0]).not.toBe(keys[2]);
  expect(keys.map((key) => key.length)).toEqual([4, 4, 4]);
});
