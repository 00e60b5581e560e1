import { isValidEmail, normalizeEmail } from 'early-access-kit/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { senderAddress, wireAddress } from './address.ts';

describe('wireAddress', () => {
  it.each([
    ['ada@example.org', 'ada@example.org', false],
    ["o'brien+prints@sub.example.co", "o'brien+prints@sub.example.co", false],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example', false],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example', false],
    ['ada@straße.example', 'ada@xn--strae-oqa.example', false],
    ['münch@bücher.example', 'münch@bücher.example', true],
    ['用户@例子.广告', '用户@例子.广告', true],
  ])('writes %s as %s', (stored, address, needsSmtpUtf8) => {
    expect(wireAddress(stored)).toEqual({ address, needsSmtpUtf8 });
  });

  it.each([
    'a<v@x.io>',
    'v@x.io,w@y.io',
    'v@x.io\r\nBcc: w@y.io',
    'v@x.io\n',
    'Ada@example.org',
    ' ada@example.org',
    'ada@ｅxample.org',
    'ada@x\u00ad.io',
    'ada@٣.example',
  ])('returns null for %j', (stored) => expect(wireAddress(stored)).toBeNull());

  it('normalises back to the stored address', () => {
    const stored = fc.oneof(
      fc.emailAddress(),
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.domain()).map((p) => p.join('@')),
      fc.string({ unit: 'grapheme' }).map((domain) => `ada@${domain}.example`),
    );
    fc.assert(
      fc.property(stored, (raw) => {
        const email = normalizeEmail(raw);
        const wire = wireAddress(email);
        if (!wire) return;
        expect(isValidEmail(email)).toBe(true);
        expect(normalizeEmail(wire.address)).toBe(email);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('senderAddress', () => {
  it.each([
    ['hello@acme.example', 'hello@acme.example'],
    ['Acme <hello@acme.example>', 'hello@acme.example'],
    ['<hello@acme.example>', 'hello@acme.example'],
  ])('reads %j', (from, address) => {
    expect(senderAddress(from)).toBe(address);
  });

  it.each([
    '',
    'Acme',
    'Acme hello@acme.example',
    'Acme < hello@acme.example>',
    'Acme <\u2068hello@acme.example\u2069>',
    "'hello@acme.example'",
    'A <a@x.example> <b@x.example>',
    'A\r\nBcc: b@x.example <a@x.example>',
  ])('refuses %j', (from) => {
    expect(senderAddress(from)).toBeNull();
  });
});
